#include "mediator/schema/defaults.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/schema/resources.h"

namespace tipstaff::schema {
namespace {

using NodeIndex = uint32_t;
using Nodes = std::vector<NodeIndex>;

// What one schema says of defaults.
struct Node {
  json::Value taken;  // its `default`
  Nodes all;          // schemas of the same value
  std::vector<Nodes> alternatives;
  std::vector<std::pair<absl::string_view, NodeIndex>> properties;  // in the order of the schema
  Nodes patterns, others;  // of properties by pattern, and of any other ones
  Nodes first_items, items;
};

constexpr size_t kMostAdded = 10'000;

void AddOnce(NodeIndex node, Nodes& nodes) {
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

}  // namespace

struct Defaults::Tree {
  explicit Tree(json::Document document) : schema(std::move(document)), resources(options) {}

  json::Document schema;
  CompileOptions options;
  internal::Resources resources;  // keeps what references lead to
  std::vector<Node> nodes;        // the first is the schema itself
  bool none = true;
  size_t alternatives = 0;
};

// Makes a node for each schema that is come to.
class Defaults::Reading {
 public:
  explicit Reading(Tree& tree) : tree_(tree) {}

  void Read() {
    const json::Value root = tree_.schema.root();
    NodeOf({tree_.resources.AddRoot(root, ""), root, ""});
    while (!open_.empty()) {
      const auto [index, place] = open_.back();
      open_.pop_back();
      ReadOne(index, place);
    }
    CountAlternatives();
  }

 private:
  NodeIndex NodeOf(const internal::Place& place) {
    const uint32_t resource = tree_.resources.ResourceAt(place.resource, place.schema);
    const auto key = std::pair(tree_.resources.at(resource).document, place.schema.index());
    const auto [it, is_new] = known_.emplace(key, static_cast<NodeIndex>(tree_.nodes.size()));
    if (is_new) {
      tree_.nodes.emplace_back();
      open_.push_back({it->second, {resource, place.schema, ""}});
    }
    return it->second;
  }
  NodeIndex Within(const internal::Place& place, json::Value schema) {
    return NodeOf({place.resource, schema, ""});
  }
  Nodes Each(const internal::Place& place, absl::string_view keyword) {
    Nodes nodes;
    const json::Value value = place.schema.Find(keyword);
    for (json::Value one : value.items()) nodes.push_back(Within(place, one));
    for (const json::Member& one : value.members()) nodes.push_back(Within(place, one.value));
    return nodes;
  }
  void AddOne(const internal::Place& place, absl::string_view keyword, Nodes& nodes) {
    const json::Value value = place.schema.Find(keyword);
    if (value.is_object()) nodes.push_back(Within(place, value));
  }

  void ReadOne(NodeIndex index, const internal::Place& place) {
    Node node;
    node.taken = place.schema.Find("default");
    node.all = Each(place, "allOf");
    for (NodeIndex one : Each(place, "dependentSchemas")) node.all.push_back(one);
    for (const char* keyword : {"$ref", "$dynamicRef"}) {
      const json::Value reference = place.schema.Find(keyword);
      if (!reference.is_string()) continue;
      const auto target = tree_.resources.Resolve(place.resource, reference.string());
      if (target.ok()) node.all.push_back(NodeOf(*target));
    }
    for (const char* keyword : {"anyOf", "oneOf"}) AddAlternatives(Each(place, keyword), node);
    Nodes branches;
    for (const char* keyword : {"then", "else"}) AddOne(place, keyword, branches);
    AddAlternatives(std::move(branches), node);
    ReadParts(place, node);
    tree_.nodes[index] = std::move(node);
  }

  void ReadParts(const internal::Place& place, Node& node) {
    for (const json::Member& property : place.schema.Find("properties").members()) {
      node.properties.emplace_back(property.key, Within(place, property.value));
    }
    node.patterns = Each(place, "patternProperties");
    for (const char* keyword : {"additionalProperties", "unevaluatedProperties"}) {
      AddOne(place, keyword, node.others);
    }
    node.first_items = Each(place, "prefixItems");
    if (place.schema.Find("items").is_array()) node.first_items = Each(place, "items");  // draft 7
    for (const char* keyword : {"items", "additionalItems", "unevaluatedItems"}) {
      AddOne(place, keyword, node.items);
    }
  }

  void AddAlternatives(Nodes nodes, Node& node) {
    if (!nodes.empty()) node.alternatives.push_back(std::move(nodes));
  }

  // Only where defaults are come to: what is the same for each alternative is looked at once.
  void CountAlternatives() {
    std::vector<bool> has(tree_.nodes.size());
    const auto any = [&has](const Nodes& nodes) {
      return std::any_of(nodes.begin(), nodes.end(), [&has](NodeIndex one) { return has[one]; });
    };
    for (bool more = true; more;) {
      more = false;
      for (NodeIndex i = 0; i < has.size(); ++i) {
        if (has[i] || !Leads(tree_.nodes[i], any)) continue;
        has[i] = more = true;
      }
    }
    tree_.none = !has[0];
    for (const Node& node : tree_.nodes) {
      if (any(node.patterns)) tree_.alternatives = std::max<size_t>(tree_.alternatives, 1);
      for (const Nodes& nodes : node.alternatives) {
        if (any(nodes)) tree_.alternatives = std::max(tree_.alternatives, nodes.size());
      }
    }
  }

  // Whether it has a default itself, or in a schema within it.
  template <typename Any>
  static bool Leads(const Node& node, const Any& any) {
    return node.taken.exists() || any(node.all) || any(node.patterns) || any(node.others) ||
           any(node.first_items) || any(node.items) ||
           std::any_of(node.alternatives.begin(), node.alternatives.end(), any) ||
           std::any_of(node.properties.begin(), node.properties.end(),
                       [&any](const auto& one) { return any(Nodes{one.second}); });
  }

  Tree& tree_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, NodeIndex> known_;
  std::vector<std::pair<NodeIndex, internal::Place>> open_;
};

// Copies arguments and adds what a schema has for them. Recursion is as deep as arguments nest.
class Defaults::Filling {
 public:
  Filling(const Tree& tree, std::optional<size_t> alternative, json::Builder& builder)
      : tree_(tree), alternative_(alternative), builder_(builder) {}

  void Fill(json::Value given, const Nodes& nodes, int depth) {
    const bool leave = depth > json::kMaxDepth || added_ > kMostAdded;
    if (given.is_object() && !leave) return FillObject(given, AllOf(nodes), depth);
    if (given.is_array() && !leave) return FillArray(given, AllOf(nodes), depth);
    builder_.Copy(given);
  }
  size_t added() const { return added_; }

 private:
  // The schemas of the same value.
  Nodes AllOf(const Nodes& nodes) const {
    Nodes all;
    for (NodeIndex node : nodes) AddOnce(node, all);
    for (size_t i = 0; i < all.size(); ++i) {
      const Node& node = tree_.nodes[all[i]];
      for (NodeIndex one : node.all) AddOnce(one, all);
      if (!alternative_) continue;
      for (const Nodes& choice : node.alternatives) {
        AddOnce(choice[std::min(*alternative_, choice.size() - 1)], all);
      }
    }
    return all;
  }

  Nodes OfMember(const Nodes& nodes, absl::string_view key) const {
    Nodes found;
    for (NodeIndex index : nodes) {
      const Node& node = tree_.nodes[index];
      const auto property = std::find_if(node.properties.begin(), node.properties.end(),
                                         [key](const auto& one) { return one.first == key; });
      if (property != node.properties.end()) AddOnce(property->second, found);
      if (alternative_) {
        for (NodeIndex one : node.patterns) AddOnce(one, found);
      }
      if (property != node.properties.end()) continue;
      for (NodeIndex one : node.others) AddOnce(one, found);
    }
    return found;
  }

  Nodes OfItem(const Nodes& nodes, size_t position) const {
    Nodes found;
    for (NodeIndex index : nodes) {
      const Node& node = tree_.nodes[index];
      if (position < node.first_items.size()) {
        AddOnce(node.first_items[position], found);
      } else {
        for (NodeIndex one : node.items) AddOnce(one, found);
      }
    }
    return found;
  }

  // Beside a reference before what it refers to.
  json::Value TakenOf(NodeIndex property) const {
    for (NodeIndex node : AllOf({property})) {
      if (tree_.nodes[node].taken.exists()) return tree_.nodes[node].taken;
    }
    return {};
  }

  void FillArray(json::Value given, const Nodes& nodes, int depth) {
    builder_.StartArray();
    size_t position = 0;
    for (json::Value item : given.items()) Fill(item, OfItem(nodes, position++), depth + 1);
    builder_.EndArray();
  }

  void FillObject(json::Value given, const Nodes& nodes, int depth) {
    builder_.StartObject();
    for (const json::Member& member : given.members()) {
      builder_.Key(member.key);
      Fill(member.value, OfMember(nodes, member.key), depth + 1);
    }
    std::vector<absl::string_view> added;
    for (NodeIndex node : nodes) {
      for (const auto& [key, property] : tree_.nodes[node].properties) {
        if (given.Find(key).exists() || std::find(added.begin(), added.end(), key) != added.end())
          continue;
        if (Take(key, property, OfMember(nodes, key), depth)) added.push_back(key);
      }
    }
    builder_.EndObject();
  }

  // A default that is an object is filled in as what is given, but not within itself.
  bool Take(absl::string_view key, NodeIndex property, const Nodes& nodes, int depth) {
    const json::Value taken = TakenOf(property);
    if (!taken.exists()) return false;
    ++added_;
    builder_.Key(key);
    if (std::find(within_.begin(), within_.end(), property) != within_.end()) {
      builder_.Copy(taken);
      return true;
    }
    within_.push_back(property);
    Fill(taken, nodes, depth + 1);
    within_.pop_back();
    return true;
  }

  const Tree& tree_;
  const std::optional<size_t> alternative_;
  json::Builder& builder_;
  size_t added_ = 0;
  Nodes within_;  // properties whose default is being filled in
};

Defaults::Defaults(json::Document schema) {
  const auto tree = std::make_shared<Tree>(std::move(schema));
  Reading(*tree).Read();
  tree_ = tree;
}

bool Defaults::none() const { return tree_->none; }
size_t Defaults::alternatives() const { return tree_->alternatives; }

absl::StatusOr<std::optional<json::Document>> Defaults::Fill(
    json::Value arguments, std::optional<size_t> alternative) const {
  if (none()) return std::nullopt;
  // Arguments and a default within them each nest as deep as a document.
  json::Builder builder(3 * json::kMaxDepth);
  Filling filling(*tree_, alternative, builder);
  filling.Fill(arguments, {0}, 0);
  if (filling.added() == 0) return std::nullopt;
  if (filling.added() > kMostAdded) {
    return absl::ResourceExhaustedError("the defaults of the tool's schema come to too much");
  }
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document filled, std::move(builder).Build());
  return filled;
}

}  // namespace tipstaff::schema
