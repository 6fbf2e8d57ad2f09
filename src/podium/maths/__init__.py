"""What a configuration returns, from the same rules and outcome functions that the table runs on."""
