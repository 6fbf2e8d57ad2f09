"""Bots that play a running house through the real protocol, as a load test, and check everything that it says.

Each bot keeps what it bet and decided and which cards everybody saw, plays its own seat again with its own copy of the rules,
and compares every wager and the credit with what the house says. Every difference is a finding.
"""

from podium.client.swarm.crowd import Plan, run
from podium.client.swarm.tally import Finding, Tally

__all__ = ["Finding", "Plan", "Tally", "run"]
