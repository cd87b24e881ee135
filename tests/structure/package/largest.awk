# The largest value of the column `name` of a CSV file and whether `printed` is the same number.
BEGIN { FS = "," }
/^#/ { next }
!named++ { for (i = 1; i <= NF; ++i) if ($i == name) column = i; next }
!rows++ || $column + 0 > largest { largest = $column + 0 }
END { printf("%s %.12g\n", (column && largest == printed + 0) ? "same" : "other", largest) }
