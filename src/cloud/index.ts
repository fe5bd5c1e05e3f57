// cloud: what everybody who calls a cloud shares. One way to make a call that changes something, one table that says what a failure means and
// who has to do something about it, one memory of what was read, one way to answer the questions of many with one call, and the quotas that
// are known before anything is written. It knows no kind, no claim and no operator; how a call reaches AWS, with which credentials and how
// fast, is #aws/client. Start with trouble.ts (what a failure means), then change.ts (how a change is sent).

export { Account, type AccountOptions, type CallerIdentity } from './account.ts'
export { type ChangeOptions, type CheckedChange, mayHaveMade, sendChange, wasNothingToDo } from './change.ts'
export { Gathering, type Serve, type Settled } from './gathering.ts'
export { limitOfCall, type OverLimit, overLimit } from './quotas.ts'
export { Readings, strangerMs } from './readings.ts'
export { type RightsPolicy, rightsPolicy } from './rights-policy.ts'
export { type CloudReason, cloudReasons, cloudTrouble, notVisibleYet, type TroubleContext } from './trouble.ts'
