// A look at a Cert without a world: what AWS would answer, and what it was asked.
import assert from 'node:assert/strict'
import { ManualClock } from '#base'
import type { Reads } from '#runtime'
import type { CertPolicy } from '../api/policy.ts'
import type { Cert } from '../api.ts'
import type { CloudCertificate } from '../aws/certificate.ts'
import type { OwnedCertificate, Standing } from '../aws/cloud.ts'
import type { ListedCertificate } from '../aws/listed.ts'
import { AbsenceMemory, AheadMemory, ArnMemory, LookMemory, RequestMemory } from '../cert/memory.ts'
import { observeCert } from '../cert/observe.ts'
import type { ObserveTools } from '../cert/observe-tools.ts'
import type { CertSeen } from '../cert/seen.ts'
import type { CertSettings } from '../cert/settings.ts'
import type { Astray } from '../zones/dns-looks.ts'
import { certSeen, nowMs, type SeenOptions, settings, zone } from './cert-seen.fixture.ts'

export interface Answers {
  readonly certificates?: Readonly<Record<string, CloudCertificate | Error>>
  /** What the memory of the process says, where that is another answer than a fresh one. */
  readonly remembered?: Readonly<Record<string, CloudCertificate>>
  readonly tags?: Readonly<Record<string, Readonly<Record<string, string>> | Error>>
  readonly owned?: readonly OwnedCertificate[] | Error
  readonly listed?: readonly (ListedCertificate & { readonly region?: string })[] | Error
  readonly standing?: Readonly<Record<string, Standing>>
  readonly changes?: Readonly<Record<string, 'PENDING' | 'INSYNC' | 'unknown'>>
  readonly astray?: Astray
  /** Why the day refuses. */
  readonly refusal?: string
  readonly policies?: readonly CertPolicy[]
  /** Whether the object went before the look. */
  readonly isGone?: boolean
  /** Other Certs of the cluster. */
  readonly others?: readonly Cert[]
}

export interface Looks {
  readonly clock: ManualClock
  readonly absences: AbsenceMemory
  readonly looks: LookMemory
  readonly arns: ArnMemory
  readonly requests: RequestMemory
  /** Looks, and says what was seen and what was asked for that, in order. */
  look(claim: SeenOptions, answers?: Answers): Promise<{ readonly seen: CertSeen; readonly asked: readonly string[] }>
}

export interface LooksOptions {
  /** Whether the DNS may be asked what it shows. */
  readonly asksDns?: boolean
  readonly privateIds?: readonly string[]
}

export function looksOf(more: Partial<CertSettings> = {}, { asksDns = false, privateIds = [] }: LooksOptions = {}): Looks {
  const clock = new ManualClock(nowMs)
  const [absences, ahead, looks] = [new AbsenceMemory(clock), new AheadMemory(clock), new LookMemory()]
  const [arns, requests] = [new ArnMemory(), new RequestMemory(clock)]
  return {
    clock,
    absences,
    looks,
    arns,
    requests,
    look: async (options, answers = {}) => {
      const asked: string[] = []
      const claim = certSeen(options).claim ?? assert.fail()
      const told = <T>(what: string, answer: T | Error): Promise<T> => {
        asked.push(what)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
      }
      const name = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1)
      const cloud = {
        certificate: (arn: string, { isFresh = false, region }: { isFresh?: boolean; region?: string }) => {
          const fresh = answers.certificates?.[arn]
          const where = region === undefined ? '' : ` in ${region}`
          return told(`${isFresh ? 'fresh ' : ''}${name(arn)}${where}`, isFresh ? fresh : (answers.remembered?.[arn] ?? fresh))
        },
        marks: (arn: string) => told(`marks of ${name(arn)}`, answers.tags?.[arn] ?? {}),
        tags: (arn: string) => told(`tags of ${name(arn)}`, answers.tags?.[arn] ?? {}),
        owned: (primary: string) => told(`all of ${primary}`, answers.owned ?? []),
        listed: (_: string, regions: readonly (string | undefined)[]) =>
          told(`list of ${regions.map(each => each ?? 'here').join(' and ')}`, answers.listed ?? []),
        standing: (of: { readonly id: string }, record: string) =>
          told(`${record} in ${of.id}`, answers.standing?.[record] ?? { kind: 'absent' }),
        change: (id: string) => told(`change ${id}`, answers.changes?.[id] ?? 'PENDING'),
        awaitRequest: () => void asked.push('its turn'),
        lookEnded: () => void asked.push('end'),
      }
      const tools = {
        cloud,
        zones: { registry: { zones: options.zones ?? [zone] }, privateIds: new Set(privateIds), deniedIds: new Set() },
        absences,
        ahead,
        looks,
        arns,
        requests,
        settings: { ...settings, ...more },
        budget: { begin: () => void asked.push('day'), refusal: () => answers.refusal },
        dnsLooks: asksDns
          ? { astray: ({ name: record }: { readonly name: string }) => told(`dns ${record}`, answers.astray) }
          : undefined,
        nowMs: () => clock.now(),
        draw: () => 0.5,
        referenceRegions: ['us-east-1'],
      } as unknown as ObserveTools
      const world = {
        find: ({ kind }: { readonly kind: string }) => (kind === 'Cert' && answers.isGone !== true ? claim : undefined),
        list: ({ kind }: { readonly kind: string }) =>
          kind === 'CertPolicy' ? (answers.policies ?? []) : [claim, ...(answers.others ?? [])],
        byIndex: (_: unknown, index: string, key: string) =>
          index === 'validation-record'
            ? (answers.others ?? []).filter(({ status }) =>
                status?.validationRecords?.some(({ zoneId, name: record }) => `${zoneId}/${record}` === key),
              )
            : (answers.others ?? []),
        isSynced: () => true,
      } as unknown as Reads
      const signal = new AbortController().signal
      const seen = await observeCert({ namespace: 'team', name: 'api' }, world, signal, tools)
      return { seen, asked }
    },
  }
}
