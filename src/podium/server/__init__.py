"""The house on the network: the messages, the WebSocket gateway, the web."""
