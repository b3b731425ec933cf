"""What protects this machine from model-written code: what its kernel gives, or a container."""

from __future__ import annotations

from typing import Literal

SandboxName = Literal["auto", "wall", "container", "unwalled"]
