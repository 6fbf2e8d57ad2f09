"""A real house as a process of its own, and a million hostile messages over the wire and over HTTP (SEC-4).

What is sent is drawn from a seed and from the declared types of commands and routes, by strangers and by every role,
while honest bots play and check what they are told. Afterwards the journal must hold what people asked for who may ask
for it, and nothing else. `make fuzz` runs it for longer.
"""
