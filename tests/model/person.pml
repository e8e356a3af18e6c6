/* `tipstaff run resolve`: a person says what happened. */

inline vouch(i) {
  if
  :: may_still_act[i] ->
     may_still_act[i] = 0;
     d_outcome[i] = ended;
     if
     :: SENT(i) -> phase[i] = over
     :: else
     fi
  :: else
  fi
}

#define PENDING(i) (may_still_act[i] && backend[i] == may_act)

proctype person() {
end:
  do
  :: STEP {
       up && result == unknown && f_phase == f_idle && len(queue) == 0 ->
       durable_result(accepted);
       printf("person: the result was accepted\n")
     }
  :: STEP {
       up && result == unknown && f_phase == f_idle && len(queue) == 0 ->
       durable_result(refused);
       printf("person: the result was not accepted\n")
     }
  /* Held: the writes are over (the person has looked, and is right), so that the guest may go on;
     or it ends here. */
  :: STEP {
       up && result == held && f_phase == f_idle && len(queue) == 0 && !ANY_WRITE(PENDING) ->
       vouch(0);
       vouch(1);
#if WRITES > 2
       vouch(2);
#endif
       durable_result(no_result);
       printf("person: the writes are over\n")
     }
  :: STEP {
       up && result == held && f_phase == f_idle && len(queue) == 0 ->
       durable_result(refused);
       printf("person: nothing will be submitted\n")
     }
  od
}
