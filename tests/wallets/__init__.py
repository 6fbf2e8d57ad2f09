"""Which process may take a player's money, when several own tables: the protocol of docs/decisions/wallets.md, in every order."""
