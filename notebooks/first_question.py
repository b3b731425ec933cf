# %% [markdown]
# # A first question
# Makes the trial table, asks over it with no model and no network, and looks at the tree.

# %%
from pathlib import Path
from tempfile import mkdtemp

import wideleaf as wl
from wideleaf.graph.trial_table import make_trial_table

folder = Path(mkdtemp())
table = make_trial_table(folder / "trials.parquet")

# %%
result = wl.ask("What is the mean grain yield in tons per hectare?", table, folder=str(folder))
result.answer

# %%
result.frame

# %%
from wideleaf.graph.drawings.text import draw_text

print(draw_text(result.tree, result.label))
