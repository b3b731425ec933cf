# %% [markdown]
# # A first question
# Makes the demo's tables, asks over them with no model and no network, and looks at the tree.

# %%
from pathlib import Path
from tempfile import mkdtemp

import wideleaf as wl
from wideleaf.graph.demo_table import make_demo_tables

folder = Path(mkdtemp())
homes, districts = make_demo_tables(folder)

# %%
question = "What is the mean electricity on day 15 for each kind of heating?"
result = wl.ask(question, homes, districts, folder=str(folder))
result.answer

# %%
result.frame

# %%
from wideleaf.graph.drawings.text import draw_text

print(draw_text(result.tree, result.label))
