// The options of `createAws`, completed: what every part of the core reads.
import { assertNever, type Clock, given, type Log, type Net, type Random, silentLog, systemClock } from '#base'
import type { AwsFaultEffect, AwsFaultRule, AwsOptions, EnforceMode, Profile, SignatureMode } from '../aws.ts'
import { type Delay, delayOf, longestDelayOf } from '../delays.ts'
import { defaultKnobs, type Knobs } from '../knobs.ts'
import type { Quota } from '../quotas.ts'
import { hashRandom } from '../state/hash-random.ts'

export interface EmulatorSettings {
  readonly seed: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly profile: Profile
  readonly signatures: SignatureMode
  readonly enforce: EnforceMode
  readonly accounts: readonly string[]
  readonly knobs: Knobs
  readonly allowExternalIssuers: boolean
  readonly net: Net | undefined
}

/** The same as moto's, so that suites can run against both; the second is for cross-account tests. */
export const defaultAccounts: readonly string[] = ['123456789012', '210987654321']
export const managementAccount = '111111111111'
export const organizationId = 'o-emulator00'

/** `savedSeed` is that of the state that is taken up. */
export function settingsOf(options: AwsOptions, savedSeed?: string): EmulatorSettings {
  for (const account of options.accounts ?? []) {
    if (!/^\d{12}$/.test(account)) throw new TypeError(`"${account}" is no account id: twelve digits are expected`)
  }
  const seed = seedOf(options, savedSeed)
  const profile = options.profile ?? 'instant'
  const knobs = {
    ...defaultKnobs,
    ...profileKnobs(profile),
    ...given({ defaultRegion: options.region }),
    ...checkedKnobs(options.knobs),
  }
  return {
    seed,
    clock: options.clock ?? systemClock,
    random: hashRandom(seed),
    log: options.log ?? silentLog,
    profile,
    signatures: options.signatures ?? 'verify',
    enforce: options.enforce ?? 'adminOnly',
    accounts: options.accounts === undefined || options.accounts.length === 0 ? defaultAccounts : options.accounts,
    knobs,
    allowExternalIssuers: options.allowExternalIssuers ?? false,
    net: options.net,
  }
}

function seedOf({ seed, random }: AwsOptions, saved: string | undefined): string {
  if (saved === undefined) return random === undefined ? String(seed ?? 'vouch') : Buffer.from(random.bytes(32)).toString('hex')
  if (seed === undefined || String(seed) === saved) return saved
  throw new TypeError(
    'the saved state was made with another seed, from which the keys and page tokens follow that clients hold: leave the seed out, or begin without the state',
  )
}

export function delayFrom(settings: EmulatorSettings, delay: Delay, objectId: string): number {
  return delayOf(delay, objectId, settings)
}

export function keepMsFrom(settings: EmulatorSettings, delay: Delay): number {
  return longestDelayOf(delay, settings)
}

export function quotaFrom(settings: EmulatorSettings, { name, limit }: Quota): number {
  return settings.knobs.quotas[name] ?? limit.value
}

/** `instant` is for unit tests, whose writers follow each other at one frozen moment: nothing there conflicts by time alone. */
function profileKnobs(profile: Profile): Partial<Knobs> {
  const concurrentModificationMs = 200
  switch (profile) {
    case 'instant':
      return {}
    case 'demo':
      return { concurrentModificationMs, jwksTtlMs: 300_000 }
    case 'async':
      return { concurrentModificationMs }
    case 'hostile':
      return { concurrentModificationMs, shortPages: true }
    default:
      return assertNever(profile)
  }
}

/** What else goes wrong under a profile: in `hostile` one call in fifty is throttled, fails, or loses its answer. */
export function profileFaults(profile: Profile): readonly AwsFaultRule[] {
  if (profile !== 'hostile') return []
  const effects: readonly AwsFaultEffect[] = [
    { kind: 'throttle' },
    { kind: 'error', code: 'InternalFailure', http: 500 },
    { kind: 'timeout-before' },
    { kind: 'timeout-after' },
  ]
  return effects.map(effect => ({ match: { probability: 0.02 / effects.length }, effect }))
}

function checkedKnobs(knobs: Readonly<Record<string, unknown>> | undefined): Partial<Knobs> {
  for (const name of Object.keys(knobs ?? {})) {
    if (!Object.hasOwn(defaultKnobs, name))
      throw new TypeError(`there is no knob "${name}"; there are ${Object.keys(defaultKnobs).join(', ')}`)
  }
  return (knobs ?? {}) as Partial<Knobs>
}
