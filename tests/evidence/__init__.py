"""The evidence for a test laboratory: `make evidence` writes one dated folder from what was tested and measured."""
