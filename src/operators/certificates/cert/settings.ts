// The choices of a process that decisions rest on.

export interface Interval {
  readonly baseMs: number
  readonly maxMs: number
}

export interface CertSettings {
  readonly clusterId: string
  readonly intervals: {
    readonly pending: Interval
    readonly created: Interval
    readonly validatedMs: number
    readonly readyMs: number
    readonly failedMs: number
  }
  readonly validationTimeoutMs: number
  readonly recordCleanup: 'Never' | 'IfUnreferenced'
  readonly overwritesConflicts: boolean
  readonly deletesFailedRequests: boolean
  readonly reissuesProactively: boolean
  readonly requestsPerDayMax: number
  /** Whether no namespace may take more of a day than it leaves to the others. */
  readonly sharesRequests: boolean
  readonly anyPrivateName: boolean
  readonly dryRun: boolean
  /** Whether ARNs are written into other objects: by another controller, which then takes them out again. */
  readonly publishes: boolean
  /** Whether policies say who may ask for what. */
  readonly hasPolicies: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const settingsDefault: CertSettings = {
  clusterId: '',
  intervals: {
    pending: { baseMs: 30_000, maxMs: 5 * minuteMs },
    created: { baseMs: minuteMs, maxMs: 10 * minuteMs },
    validatedMs: 5 * minuteMs,
    readyMs: hourMs,
    failedMs: 5 * minuteMs,
  },
  validationTimeoutMs: 72 * hourMs,
  recordCleanup: 'IfUnreferenced',
  overwritesConflicts: false,
  deletesFailedRequests: true,
  reissuesProactively: false,
  requestsPerDayMax: 200,
  sharesRequests: true,
  anyPrivateName: false,
  dryRun: false,
  publishes: false,
  hasPolicies: false,
}
