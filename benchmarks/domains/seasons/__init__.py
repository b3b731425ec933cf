"""One row per listed player of an 18-club football league, with seasons and rounds side by side."""
