//===- Report.cpp - Search reports as HTML --------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Labels.h"
#include "Mirage/Support/ParseJSON.h"
#include "Mirage/Target/Drawing.h"
#include "Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <map>
#include <set>

using namespace mirage;
namespace json = llvm::json;

static constexpr size_t kMostRows = 50;
static constexpr unsigned kMostColumns = 300;

llvm::Expected<json::Array> mirage::parseSearchReport(llvm::StringRef text) {
  llvm::Expected<json::Value> value = parseJSON(text);
  if (!value)
    return llvm::createStringError("not JSON: " +
                                   llvm::toString(value.takeError()));
  json::Array *list = value->getAsArray();
  if (!list)
    return llvm::createStringError(
        "expected a list with an object for each function that was searched");
  for (auto [i, entry] : llvm::enumerate(*list)) {
    const json::Object *object = entry.getAsObject();
    if (!object)
      return llvm::createStringError("entry " + llvm::Twine(i) +
                                     " of the list is not an object");
    if (!object->getString("function"))
      return llvm::createStringError(
          "entry " + llvm::Twine(i) +
          " has no field 'function' that is a string");
  }
  return std::move(*list);
}

using Fields = std::vector<std::pair<std::string, const json::Value *>>;

/// The fields by name, since objects have no order; nested ones as
/// "outer.inner".
static Fields getFields(const json::Object &object) {
  Fields fields;
  for (const auto &[key, value] : object) {
    const json::Object *nested = value.getAsObject();
    if (!nested) {
      fields.push_back({key.str(), &value});
      continue;
    }
    for (auto &[inner, innerValue] : getFields(*nested))
      fields.push_back({key.str() + "." + inner, innerValue});
  }
  llvm::sort(fields);
  return fields;
}

static std::string getText(const json::Value &value) {
  if (value.kind() == json::Value::Null)
    return "–";
  if (const json::Array *list = value.getAsArray(); list && list->empty())
    return "none";
  if (std::optional<bool> boolean = value.getAsBoolean())
    return *boolean ? "yes" : "no";
  if (std::optional<int64_t> integer = value.getAsInteger())
    return getGroupedText(*integer);
  if (std::optional<double> number = value.getAsNumber()) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.6g", *number);
    return text;
  }
  if (std::optional<llvm::StringRef> string = value.getAsString())
    return ellipsize(makePrintable(*string), kMostColumns);
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return ellipsize(makePrintable(text), kMostColumns);
}

static bool isNumber(const json::Value &value) {
  return value.kind() == json::Value::Number;
}

static std::string getNameText(llvm::StringRef name) {
  std::string text;
  for (char c : escapeHTML(makePrintable(name))) {
    text += c;
    // Where a long name may be broken.
    if (c == '_' || c == '.')
      text += "<wbr>";
  }
  return text;
}

static void writeCell(const json::Value &value, llvm::raw_ostream &out) {
  out << (isNumber(value) ? "<td class=\"number\">" : "<td>")
      << escapeHTML(getText(value)) << "</td>";
}

/// Name, value and meaning, those that are known first.
static void writeFields(Fields fields, llvm::raw_ostream &out) {
  auto known = getReportFields();
  auto getPlace = [&](llvm::StringRef name) {
    return llvm::find_if(known,
                         [&](auto &field) { return field.first == name; });
  };
  llvm::sort(fields, [&](const auto &a, const auto &b) {
    return std::pair(getPlace(a.first), a.first) <
           std::pair(getPlace(b.first), b.first);
  });
  out << "<table class=\"fields\"><tbody>\n";
  for (const auto &[name, value] : fields) {
    out << "<tr><th scope=\"row\">" << getNameText(name) << "</th>";
    writeCell(*value, out);
    auto place = getPlace(name);
    out << "<td class=\"note\">"
        << (place == known.end() ? llvm::StringRef() : place->second)
        << "</td></tr>\n";
  }
  out << "</tbody></table>\n";
}

/// The rules, the most successful first, with their parts of the whole.
static void writePruned(const json::Object &pruned, llvm::raw_ostream &out) {
  Fields fields = getFields(pruned);
  auto getCount = [](const json::Value *value) {
    return value->getAsNumber().value_or(0);
  };
  double sum = 0;
  for (const auto &[name, value] : fields)
    sum += getCount(value);
  llvm::sort(fields, [&](const auto &a, const auto &b) {
    return std::pair(-getCount(a.second), a.first) <
           std::pair(-getCount(b.second), b.first);
  });
  out << "<h4>Pruned</h4>\n<table class=\"fields pruned\"><thead><tr><th>rule"
         "</th><th class=\"number\">times</th><th>part</th><th>because it</th>"
         "</tr></thead><tbody>\n";
  for (const auto &[name, value] : fields) {
    double percent = sum > 0 ? 100 * getCount(value) / sum : 0;
    out << "<tr><th scope=\"row\">" << getNameText(name) << "</th>";
    writeCell(*value, out);
    out << "<td class=\"whole\"><span class=\"bar\"><span style=\"width:"
        << llvm::format("%.1f", percent) << "%\"></span></span> "
        << llvm::format("%.1f", percent) << " %</td><td class=\"note\">"
        << describePruningRule(name) << "</td></tr>\n";
  }
  out << "</tbody></table>\n";
}

/// A row for each object, a column for each field that one of them has.
static void writeRows(llvm::StringRef title, const json::Array &rows,
                      llvm::raw_ostream &out) {
  std::set<std::string> columns;
  std::vector<std::map<std::string, const json::Value *>> cells;
  for (const json::Value &row : rows) {
    if (cells.size() == kMostRows)
      break;
    cells.emplace_back();
    for (auto &[name, value] : getFields(*row.getAsObject())) {
      columns.insert(name);
      cells.back()[name] = value;
    }
  }
  out << "<h4>" << getNameText(title)
      << "</h4>\n<div class=\"scroll\"><table class=\"rows\"><thead><tr>";
  for (const std::string &column : columns)
    out << "<th>" << getNameText(column) << "</th>";
  out << "</tr></thead><tbody>\n";
  for (const auto &row : cells) {
    out << "<tr>";
    for (const std::string &column : columns) {
      auto it = row.find(column);
      if (it == row.end())
        out << "<td></td>";
      else
        writeCell(*it->second, out);
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
  if (rows.size() > cells.size())
    out << "<p class=\"note\">and " << rows.size() - cells.size()
        << " more</p>\n";
}

void mirage::writeReport(const json::Object &entry, llvm::raw_ostream &out) {
  Fields plain;
  std::vector<std::pair<std::string, const json::Object *>> objects;
  std::vector<std::pair<std::string, const json::Array *>> lists;
  for (const auto &[key, value] : entry) {
    std::string name = key.str();
    const json::Array *list = value.getAsArray();
    if (const json::Object *object = value.getAsObject())
      objects.push_back({name, object});
    else if (list && !list->empty() &&
             llvm::all_of(*list, [](const json::Value &element) {
               return element.getAsObject();
             }))
      lists.push_back({name, list});
    else
      plain.push_back({name, &value});
  }
  llvm::sort(plain);
  llvm::sort(objects);
  llvm::sort(lists);
  out << "<div class=\"columns\"><div>\n<h4>Statistics</h4>\n";
  writeFields(plain, out);
  out << "</div><div>\n";
  for (auto [name, object] : objects) {
    if (name == "pruned") {
      writePruned(*object, out);
      continue;
    }
    out << "<h4>" << getNameText(name) << "</h4>\n";
    writeFields(getFields(*object), out);
  }
  out << "</div></div>\n";
  for (auto [name, list] : lists)
    writeRows(name, *list, out);
}
