/* The finalization protocol of one run, for Spin. docs/finalization.md says it in words, what is
   proven and what is assumed; ./dev check model builds and runs the verifiers.

   Each STEP is one thing that happens; Spin tries them in every order. That no answer ever comes is
   a step, too, so that an execution that comes to rest shows what becomes of the run without it.

   -DWRITES=2|3      writes that the guest asks for
   -DCRASHES=0|1|2   how often the mediator may die, at any point
   -DSTEP=d_step     fewer states on the way, but what is never reached is not reported
   -DEXPIRY=0        the run does not expire and is not revoked: sealing has to end without that
   -DWITHOUT_...     leaves out one rule; variants.txt lists them */
#include "state.pml"
#include "write.pml"
#include "finalize.pml"
#include "ledger.pml"
#include "recovery.pml"
#include "person.pml"

/* Once nothing more can happen: no finalize is still on its way, and a closed run waits for no
   call. There is no endless execution (checked apart), so every execution comes to this. */
proctype rest() {
end:
  timeout ->
  STEP {
    printf("everything is at rest\n");
    sealing_ends = up && len(queue) == 0 && f_phase == f_idle && result != sealing &&
                   result != submitting;
    assert(sealing_ends);
    closing_ends = !closed || !ANY_WRITE(IN_FLIGHT);
    assert(closing_ends)
  }
}

/* Kinds of backends in rising order only: writes that differ in their number alone are the same. */
inline choose_kind(i, at_least) {
  if
  :: at_least <= 0 -> kind[i] = in_process
  :: at_least <= 1 -> kind[i] = killable
  :: at_least <= 2 -> kind[i] = queryable
  :: kind[i] = unstoppable
  fi
}

#define ORDER(k) \
  (k == in_process -> 0 : (k == killable -> 1 : (k == queryable -> 2 : 3)))

init {
  atomic {
    choose_kind(0, 0);
    choose_kind(1, ORDER(kind[0]));
#if WRITES > 2
    choose_kind(2, ORDER(kind[1]));
#endif
    if
    :: receiver = stub
    :: receiver = plain
    :: receiver = keyed
    fi;
    run write(0);
    run write(1);
#if WRITES > 2
    run write(2);
#endif
    run finalize();
    run receive();
    run ledger();
    run recovery();
    run person();
    run rest()
  }
}
