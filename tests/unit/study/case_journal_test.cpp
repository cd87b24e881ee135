#include "study/case_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/error.hpp"
#include "base/file.hpp"

namespace klingel::study {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class case_journal : public testing::Test {
 protected:
  case_journal() {
    fs::remove_all(path.parent_path());
    CaseJournal journal(path, head);
    journal.add(std::vector<CaseResult>{{7, "completed", {0.1, -INFINITY}, ""},
                                        {3, "failed", {NAN, NAN}, "why\tnot\n"}});
  }
  ~case_journal() override { fs::remove_all(path.parent_path()); }

  const fs::path path = fs::path(testing::TempDir()) / "case_journal_test" / "cases.journal";
  const JournalHead head{10, 2, "digest"};
};

TEST_F(case_journal, results_come_back) {
  const std::vector<CaseResult> found = read_journal(path, head);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].number, 7u);
  EXPECT_EQ(found[0].measures[0], 0.1);
  EXPECT_EQ(found[0].measures[1], -INFINITY);
  EXPECT_TRUE(found[1].failed());
  EXPECT_TRUE(std::isnan(found[1].measures[0]));
  EXPECT_EQ(found[1].message, "why not ");
}

TEST_F(case_journal, every_cut_leaves_whole_lines_and_can_be_continued) {
  const std::string whole = base::read_file(path);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    base::write_file(path, whole.substr(0, size));
    std::size_t before = 0;
    {
      CaseJournal journal(path, head);
      before = journal.found().size();
      EXPECT_LE(before, 2u);
      journal.add(std::vector<CaseResult>{{1, "completed", {1, 2}, ""}});
    }
    EXPECT_EQ(read_journal(path, head).size(), before + 1) << size;
  }
}

TEST_F(case_journal, a_damaged_line_does_not_count) {
  std::string text = base::read_file(path);
  text[text.find("\n7\t") + 1] = '8';
  base::write_file(path, text);
  ASSERT_EQ(read_journal(path, head).size(), 1u);
  EXPECT_EQ(read_journal(path, head)[0].number, 3u);
}

TEST_F(case_journal, another_study_is_refused) {
  for (const JournalHead& other : {JournalHead{11, 2, "digest"}, JournalHead{10, 2, "other"}}) {
    try {
      const CaseJournal journal(path, other);
      FAIL();
    } catch (const base::Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("another study"));
    }
  }
  base::write_file(path, "something else\n");
  EXPECT_THROW(CaseJournal(path, head), base::Error);
}

TEST_F(case_journal, two_writers_are_refused) {
  const CaseJournal first(path, head);
  EXPECT_THROW(CaseJournal(path, head), base::Error);
}

}  // namespace
}  // namespace klingel::study
