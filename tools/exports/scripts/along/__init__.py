"""What a script takes along as text: functions that import nothing of the house but each other."""
