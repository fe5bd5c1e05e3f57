// What a pass over a Cert can see. Values only: what is missing is one, and so is what could not be asked.
import type { Tags } from '#aws'
import type { Cert } from '../api/kinds.ts'
import type { CloudCertificate } from '../aws/certificate.ts'
import type { OwnedCertificate, Standing } from '../aws/cloud.ts'
import type { CloudFault } from '../aws/faults.ts'
import type { WantedNames } from '../names/wanted.ts'
import type { Astray } from '../zones/dns-looks.ts'
import type { RegisteredZone } from '../zones/registry.ts'

export type Look =
  | { readonly kind: 'unasked' }
  /** `isConfirmed`: twice in a row, half a minute apart. `isSettled`: for longer than ACM takes to show what was asked for. */
  | {
      readonly kind: 'absent'
      readonly isConfirmed: boolean
      readonly isSettled?: boolean
      readonly isByAnother?: boolean
    }
  | {
      readonly kind: 'present'
      readonly certificate: CloudCertificate
      /** Only where something may be changed or destroyed by them. */
      readonly tags?: Tags
      /** The status names it, and not by a word of this process: a hand, or another process, wrote its ARN there. */
      readonly isByAnother?: boolean
      /** The records that it asked for, in zones that are ours. */
      readonly asked?: readonly AskedRecord[]
    }

/** A validation record as a certificate asks for it. */
export type AskedRecord = Pick<RecordSeen, 'name' | 'value' | 'zone' | 'domains'>

/** Another Cert of the same primary name that came earlier. */
export interface Rival {
  readonly namespace: string
  readonly name: string
  readonly isDeleting: boolean
}

/** A validation record: what is wanted, and what is there. */
export interface RecordSeen {
  readonly name: string
  readonly value: string
  readonly zone: RegisteredZone
  readonly domains: readonly string[]
  readonly domainStatus: string | undefined
  /** `undefined`: not looked at in this pass. */
  readonly standing: Standing | undefined
  /** Of a change that is on its way. */
  readonly change: 'PENDING' | 'INSYNC' | 'unknown' | undefined
  /** Where the DNS was asked for it, and leads elsewhere. */
  readonly astray?: Astray | undefined
}

/**
 * Whether a record may go: `unknown` where it could not be told, which keeps it; `unsettled` where another look will tell; `unlisted` where
 * one list tells of nobody who needs it, and the next one has not said so yet.
 */
export type Reference = 'none' | 'referenced' | 'unsettled' | 'unlisted' | 'unknown'

/** A record that the status lists, with who else needs it. */
export type ListedRecord = RecordSeen & { readonly reference: Reference }

export interface DeletionSeen {
  /** Uncached, by ARN: current, pending, superseded, and what was found by tags. */
  readonly certificates: ReadonlyMap<string, Look>
  /** Records as the status lists them, looked at once no certificate is left. */
  readonly records: readonly ListedRecord[] | undefined
}

/** There is no room in the list for the records of a certificate: which these are, and what has to leave it for them. */
export interface Crowd {
  readonly asked: readonly AskedRecord[]
  readonly leaving: readonly ListedRecord[]
}

export interface CertSeen {
  readonly claim: Cert | undefined
  /** By the clock of AWS, as far as it is known. */
  readonly nowMs: number
  /** Times of the status that lie ahead of `nowMs`, each with how long this process has known it. */
  readonly aheadMs?: ReadonlyMap<string, number>
  /** In [0, 1), drawn for this pass. */
  readonly draw: number
  readonly wanted: WantedNames | undefined
  /** Ids of zones that nobody outside can see. */
  readonly privateZones: ReadonlySet<string>
  /** Ids of zones at which we may not look, so that nobody knows whether they are private. */
  readonly deniedZones?: ReadonlySet<string>
  readonly rival: Rival | undefined
  readonly current: Look
  readonly pending: Look
  /** The one that the Cert names to be taken over, with its tags. */
  readonly given: Look
  /** By our own tags; `undefined` where they were not searched. */
  readonly owned: readonly OwnedCertificate[] | undefined
  /** This process knows a certificate of the object that is there, that its status does not list, and that its intent did not make. */
  readonly isAnyUnlisted?: boolean
  /** The status tells of no request, and ACM may yet show what this process asked for a moment ago. */
  readonly isAwaited?: boolean
  /** For how long nothing was found of what may have been asked for; 0 where something was, or where nobody looked. */
  readonly vainMs: number
  readonly superseded: ReadonlyMap<string, Look>
  readonly records: readonly RecordSeen[]
  readonly crowd?: Crowd
  readonly deletion: DeletionSeen | undefined
  /** The policy that forbids it, in words. */
  readonly forbidden: string | undefined
  /** Why no certificate can be asked for today, where one is to be. */
  readonly dayRefusal?: string
  /** What kept the pass from seeing the rest. */
  readonly fault: CloudFault | undefined
}

/** A pass whose claim is there. */
export type Sighted = CertSeen & { readonly claim: Cert; readonly wanted: WantedNames }
