// Calls that change nothing although they are sent as if they did.

/**
 * What needs no lease: an Event, which decides nothing; and a request for a token, which a server answers and keeps nothing of. It is a
 * question by POST, asked of the webhook's own account to learn with which key a cluster signs, and the answer is thrown away.
 */
export function needsNoLease(target: string): boolean {
  return target.includes('/events') || /\/serviceaccounts\/[^/]+\/token(?:\?|$)/.test(target)
}
