# The largest value of the column `name` of a CSV file and whether `printed` is the same number.
BEGIN { FS = "," }
NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) column = i; next }
NR == 2 || $column + 0 > largest { largest = $column + 0 }
END { printf("%s %.12g\n", (column && largest == printed + 0) ? "same" : "other", largest) }
