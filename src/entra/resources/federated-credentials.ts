// Federated credentials, which ARM keeps of managed identities and Graph of applications. A change is believed by the token endpoint after a
// while, and its end likewise.
import type { Clock, Instant, Random } from '#base'
import type { Client, FederatedCredential } from '../directory/directory.ts'

export interface Propagation {
  readonly clock: Clock
  readonly random: Random
  /** `instant`: at once; `real`: within 5 to 60 seconds, and writes one after another. */
  readonly profile: 'instant' | 'real'
}

export const credentialsMax = 20
/** What was deleted so long ago is forgotten. */
const forgottenMs = 600_000
const namesAllowed = /^[a-zA-Z0-9][a-zA-Z0-9_-]{2,119}$/

export interface CredentialWish {
  readonly issuer: string
  readonly subject: string
  readonly audiences: readonly string[]
  readonly description?: string
}

/** What was asked for, or why it cannot be. */
export function wishOf(body: Readonly<Record<string, unknown>>): CredentialWish | string {
  const { issuer, subject, audiences, description } = body
  if ('claimsMatchingExpression' in body) return 'Flexible matching (claimsMatchingExpression) is not built here.'
  if (typeof issuer !== 'string' || URL.parse(issuer)?.protocol !== 'https:') return "The property 'issuer' must be an https URL."
  if (typeof subject !== 'string' || subject === '' || subject.length > 600)
    return "The property 'subject' must be a text of at most 600 characters."
  if (!Array.isArray(audiences) || audiences.length !== 1 || typeof audiences[0] !== 'string' || audiences[0].length > 600)
    return "The property 'audiences' must hold exactly one text of at most 600 characters."
  const about = typeof description === 'string' ? { description } : {}
  return { issuer, subject, audiences: [audiences[0]], ...about }
}

export function nameProblem(name: string): string | undefined {
  const rule = '3 to 120 letters, digits, dashes and underscores, and begins with a letter or digit'
  return namesAllowed.test(name) ? undefined : `The name of a federated credential has ${rule}.`
}

/** Those that stand, whatever the token endpoint believes. */
export function standing({ credentials }: Client): readonly FederatedCredential[] {
  return credentials.filter(({ untilMs }) => untilMs === undefined)
}

export function withCredential(client: Client, name: string, wish: CredentialWish, how: Propagation): Client {
  const held = standing(client).find(each => each.name === name)
  const id = held?.id ?? how.random.fork(`credential/${client.id}/${name}/${client.credentials.length}`).uuid()
  const made: FederatedCredential = { id, name, ...wish, fromMs: believedFrom(how) }
  // The one that it replaces is believed until then.
  const before = client.credentials.map(each => (each === held ? { ...each, untilMs: made.fromMs } : each))
  return { ...client, ...busy(how), credentials: [...kept(before, how.clock.now()), made] }
}

export function withoutCredential(client: Client, gone: FederatedCredential, how: Propagation): Client {
  const credentials = client.credentials.map(each => (each === gone ? { ...each, untilMs: believedFrom(how) } : each))
  return { ...client, ...busy(how), credentials: kept(credentials, how.clock.now()) }
}

/** Another write of the same owner's credentials is under way. */
export function isBusy({ busyUntilMs = 0 }: Client, { clock }: Propagation): boolean {
  return clock.now() < busyUntilMs
}

function busy({ clock, profile }: Propagation): { readonly busyUntilMs?: Instant } {
  return profile === 'real' ? { busyUntilMs: clock.now() + 1_000 } : {}
}

function believedFrom({ clock, random, profile }: Propagation): Instant {
  return profile === 'instant' ? clock.now() : clock.now() + 5_000 + random.integer(55_000)
}

function kept(credentials: readonly FederatedCredential[], now: Instant): readonly FederatedCredential[] {
  return credentials.filter(({ untilMs }) => untilMs === undefined || untilMs + forgottenMs > now)
}
