"""What the rules do not allow."""


class Illegal(Exception):
    """Something in the script is not allowed; nothing is settled."""
