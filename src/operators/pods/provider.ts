// What a cloud brings to the webhook. The server around it (serve/) takes reviews, counts, traces and stops; a provider knows whose pods have
// which identity, and says what a pod is given. `aws/provider.ts` and `azure/provider.ts` are such values; a third
// is a folder with one, its flags, its manifests and a row in each table of webhooks (serve/, src/cli/webhook/servers.ts).

import type { AdmissionReason } from './reasons.ts'
import type { AnswerReview, ReviewAnswer, ReviewSubject, ReviewVerdict } from './review.ts'

export interface Provider {
  /** The label `provider` of every metric. */
  readonly name: string
  /** Where its reviews are answered. */
  readonly reviewPaths: readonly string[]
  /** How its reviews come in and its answers go out, in the words of its upstream. */
  readonly answer: AnswerReview
  /** What is answered to a body that is too large, where that is no error of the call. */
  readonly answerTooLarge?: () => ReviewAnswer
  /** Whether requests are counted under the names that the AWS webhook gives them. */
  readonly countsRequests: boolean
  /** What has to be read once before reviews are answered from whole knowledge. */
  readonly sources: readonly IdentitySource[]
  /** What it knows of ServiceAccounts. */
  readonly serviceAccounts: { readonly size: number; readonly synced: boolean }
  /** A value when what is known will do, which is nearly always; a promise when something has to be waited for. */
  decide(subject: ReviewSubject, patience: Patience): Decision | Promise<Decision>
  /** Something outside of what it follows has changed: pods that wait look again. */
  wake(): void
  /** All it knows, for the debugging handlers. */
  knows(): object
  /** Forgets what need not be kept, and reads it anew. */
  refresh(): void
}

export interface IdentitySource {
  readonly name: string
  readonly synced: boolean
  /** What the metric of begun watches calls it, and how many there were; absent for what is no watch. */
  readonly watched?: { readonly resource: string; readonly watches: number }
  /** Follows it until the signal aborts. Never rejects for what the cluster does. */
  run(signal: AbortSignal): Promise<void>
  /** Calls back whenever `synced` may have changed, until the function it gives is called. Absent: whoever waits has to look. */
  onState?(changed: () => void): () => void
}

export interface Decision {
  readonly verdict: ReviewVerdict
  readonly reason: AdmissionReason
}

/** How long an answer may take. */
export interface Patience {
  readonly signal: AbortSignal
  /** On the monotonic clock. */
  readonly untilMs: number
}
