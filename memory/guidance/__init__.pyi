from .guidance import Guidance as Guidance
from .guidance import guidance_path as guidance_path
from .guidance import submit_proposal as submit_proposal
