/* A write: the mediator's way of it, and its backend. */

inline settle(i, how) {
  phase[i] = settling;
  outcome[i] = how
}

inline insert_intent(i) {
  if
  :: kind[i] == in_process -> settle(i, ended)
  :: else -> phase[i] = deciding
  fi
}

#define OPEN (!closed && result == no_result)

/* Of writes that differ in nothing, the first is asked first. */
#define ITS_TURN(i) (i == 0 || kind[i - 1] != kind[i] || phase[i - 1] != not_asked)

#ifdef WITHOUT_COMMIT_BEFORE_SEND
#define INTENT_ALLOWS_SENDING(i) (1)
#else
#define INTENT_ALLOWS_SENDING(i) (d_intent[i])
#endif

proctype write(byte i) {
end:
  do
#ifdef WITHOUT_CHECK_IN_TRANSACTION
  :: STEP {
       up && phase[i] == not_asked && OPEN && ITS_TURN(i) ->
       printf("write %d (%e): asked for; access is open\n", i, kind[i]);
       promise_4 = d_result == no_result && !d_closed;
       assert(promise_4);
       phase[i] = checked
     }
  :: STEP {
       up && phase[i] == checked ->
       insert_intent(i);
       printf("write %d: its intent is queued; access is not looked at again\n", i)
     }
#else
  :: STEP {
       up && phase[i] == not_asked && OPEN && ITS_TURN(i) ->
       printf("write %d (%e): asked for; access is open, its intent is queued\n", i, kind[i]);
       promise_4 = d_result == no_result && !d_closed;
       assert(promise_4);
       insert_intent(i)
     }
#endif

  /* To the backend: once, and only with an intent on record. */
  :: STEP {
       up && phase[i] == deciding && INTENT_ALLOWS_SENDING(i) ->
       if
       :: closed || deadline || (result != no_result && result != sealing) ->
          settle(i, ended);
          printf("write %d: not sent any more\n", i)
       :: else ->
          printf("write %d: sent to its backend\n", i);
          promise_4 = backend[i] == not_sent;
          assert(promise_4);
          closed_stops = !d_closed;
          assert(closed_stops);
          backend[i] = may_act;
          may_still_act[i] = 1;
          phase[i] = dispatched
       fi
     }

  /* The backend, whatever became of the mediator. */
  :: STEP {
       backend[i] == may_act ->
       printf("write %d: TAKES EFFECT\n", i);
       promise_1 = d_intent[i];
       assert(promise_1);
       promise_2 = !barred;
       assert(promise_2);
       backend[i] = done
     }

  /* Its answer: what it did; or that nobody knows; or none, ever. */
  :: STEP {
       up && phase[i] == dispatched && backend[i] == done ->
       may_still_act[i] = 0;
       settle(i, ended);
       printf("write %d: answered, it took effect\n", i)
     }
  :: STEP {
       up && phase[i] == dispatched && backend[i] == may_act ->
       backend[i] = done;
       may_still_act[i] = 0;
       settle(i, ended);
       printf("write %d: answered, it was refused\n", i)
     }
  :: STEP {
       up && phase[i] == dispatched ->
#ifdef WITHOUT_UNKNOWN_IS_IN_FLIGHT
       may_still_act[i] = 0;
#endif
       settle(i, may_follow);
       printf("write %d: its connection is lost\n", i)
     }
  :: STEP {
       up && phase[i] == dispatched ->
       phase[i] = silent;
       printf("write %d: never answers\n", i)
     }

  /* Stopping, at the deadline of sealing or since the run closed. */
  :: STEP {
       up && (deadline || closed) && UNSTOPPED(i) ->
       may_still_act[i] = 0;
#ifdef WITHOUT_STOP_BEFORE_GIVING_UP
       printf("write %d: given up, not killed\n", i);
#else
       backend[i] = done;
       printf("write %d: killed, and gone\n", i);
#endif
       if
       :: SENT(i) -> settle(i, ended)
       :: else
       fi
     }
  :: STEP {
       up && (deadline || closed) && kind[i] == queryable && may_still_act[i] &&
           backend[i] == done ->
       may_still_act[i] = 0;
       printf("write %d: the query says that it took place\n", i);
       if
       :: SENT(i) -> settle(i, ended)
       :: else
       fi
     }
  /* A query that says `not yet` promises nothing: no step. */
#ifndef WITHOUT_CLOSING_GIVES_UP
  :: STEP {
       up && closed && SENT(i) && (kind[i] == queryable || kind[i] == unstoppable) ->
       settle(i, may_follow);
       printf("write %d: the run is closed, it is given up\n", i)
     }
#endif

  /* The disk. */
  :: STEP {
       up && phase[i] == deciding && !d_intent[i] ->
       d_intent[i] = 1;
       printf("ledger: the intent of write %d is durable\n", i)
     }
  :: STEP {
       up && phase[i] == settling ->
       if
       :: kind[i] == in_process ->  /* decision, effect and outcome in one */
          printf("write %d (in_process): TAKES EFFECT as it becomes durable\n", i);
          d_intent[i] = 1;
          promise_2 = !barred;
          assert(promise_2);
          backend[i] = done
       :: else -> printf("ledger: the outcome of write %d is durable\n", i)
       fi;
       d_outcome[i] = outcome[i];
       outcome[i] = no_outcome;
       phase[i] = over
     }
  od
}
