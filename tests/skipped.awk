# Lists skipped tests with their reasons, from the XML of GoogleTest (one file per folder of tests)
# and of ctest itself (ctest.xml): awk -f tests/skipped.awk build/release/tests/results/*.xml

function attribute(name) {
  if (!match($0, " " name "=\"[^\"]*\"")) return ""
  return plain(substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4))
}

function plain(text) {
  gsub(/&#x0[Aa];|&#10;/, "\n", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text)
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

# GoogleTest puts "file:line" before the reason
function reason(text) {
  if (text ~ /^[^\n]*:[0-9]+\n/) sub(/^[^\n]*\n/, "", text)
  gsub(/\n+$/, "", text)
  gsub(/\n/, "; ", text)
  return text == "" ? "no reason given" : text
}

/<testcase / {
  name = attribute("name")
  suite = attribute("classname")
  if (FILENAME !~ /(^|\/)ctest\.xml$/ && suite != "") name = suite "." name
}
/<skipped/ && name != "" {
  list = list "  " name ": " reason(attribute("message")) "\n"
  ++count
  name = ""
}

END {
  if (count == 0) print "No test was skipped."
  else printf "%d %s skipped:\n%s", count, count == 1 ? "test was" : "tests were", list
}
