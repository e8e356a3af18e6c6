// What gRPC's completion queue hands back when an operation is over.
#pragma once

namespace tipstaff::gate {

class Tag {
 public:
  // `ok`: the operation did what it is for.
  virtual void Over(bool ok) = 0;

 protected:
  ~Tag() = default;
};

// Calls a member function; part of the object it calls.
template <class Owner, void (Owner::*over)(bool)>
class TagOf final : public Tag {
 public:
  explicit TagOf(Owner& owner) : owner_(owner) {}
  void Over(bool ok) override { (owner_.*over)(ok); }

 private:
  Owner& owner_;
};

}  // namespace tipstaff::gate
