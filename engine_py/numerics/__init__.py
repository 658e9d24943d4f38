"""Numbers -> numbers: functions that give the double nearest to the true value."""
