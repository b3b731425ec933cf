"""Foods of a pooled European composition table: nutrients, allergens, labels and prices."""
