"""Names in results that the code for tables and the code for people share."""

FOLD, SPREAD = "fold", "spread"  # the columns of a result with folds
USER_OF_A_PART = "user of a part"  # the unit of the mean if parts share users, as daily exports do
