// The schema of a chart's values, from their defaults: what has another type, or a name that nobody knows, is refused before anything is
// rendered. Maps that are empty by default are a person's own, and take any key.
import { given } from '#base'

export interface ValuesSchema {
  readonly $schema?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly items?: ValuesSchema
  readonly properties?: Readonly<Record<string, ValuesSchema>>
  /** What `null` cannot take away: the templates read it. */
  readonly required?: readonly string[]
  /** `false`: no others than those of `properties`. */
  readonly additionalProperties?: ValuesSchema | false
}

const choices: ValueWords = {
  'image.pullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'logging.level': ['trace', 'debug', 'info', 'warn', 'error'],
  'logging.exporter': ['otlp', 'console', 'none'],
  'metrics.service.type': ['ClusterIP', 'NodePort', 'LoadBalancer'],
  'webhookCertificate.source': ['cert-manager', 'secret', 'own'],
  'certificate.source': ['cert-manager', 'secret', 'cluster', 'own'],
  failurePolicy: ['Ignore', 'Fail'],
  'failurePolicy.aws': ['Ignore', 'Fail'],
  'failurePolicy.azure': ['Ignore', 'Fail'],
  // A cloud that a file describes has none to describe it here.
  cloud: ['AzurePublicCloud', 'AzureUSGovernmentCloud', 'AzureChinaCloud', 'AzureGermanCloud'],
}

/** The smallest number that a value may be, by its path. */
const least: Readonly<Record<string, number>> = { replicaCount: 1, terminationGracePeriodSeconds: 0, revisionHistoryLimit: 0 }

/** What Kubernetes defines: its keys are Kubernetes's to know. */
const passedOn = new Set(['updateStrategy', 'resources', 'podSecurityContext', 'containerSecurityContext'])

/** A probe's numbers, each of which Kubernetes has a default for. */
const probes = /^(?:liveness|readiness)Probe$/

/** Lists of plain words; all others are lists of maps. */
const words =
  /(?:^|\.)(?:extraArgs|apiServers|clusterProfileNamespaces|managedServiceAccount\.namespaces|pullSecrets|imagePullSecrets)$/

/** Values of charts within a chart. */
const charts = new Set(['webhooks', 'azureWebhooks', 'bothWebhooks'])

/** The words that a value may be, by its path. */
export type ValueWords = Readonly<Record<string, readonly string[]>>

/** `words`: where a chart takes fewer of them than others. */
export function chartSchema(values: object, words: ValueWords = {}): ValuesSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(values, '', { ...choices, ...words }) }
}

function schemaOf(value: unknown, path: string, choices: ValueWords): ValuesSchema {
  if (Array.isArray(value)) return { type: 'array', items: itemSchema(value, path, choices) }
  if (typeof value === 'object' && value !== null) return objectSchema(value as Readonly<Record<string, unknown>>, path, choices)
  if (typeof value === 'number') return { type: 'integer', ...given({ minimum: least[path] }) }
  return { type: typeof value, ...given({ enum: choices[path] }) }
}

/** A list that has an entry by default has others like it; of any other list Kubernetes says what an entry holds. */
function itemSchema([first]: readonly unknown[], path: string, choices: ValueWords): ValuesSchema {
  if (words.test(path)) return { type: 'string' }
  return first === undefined ? { type: 'object' } : schemaOf(first, path, choices)
}

function objectSchema(value: Readonly<Record<string, unknown>>, path: string, choices: ValueWords): ValuesSchema {
  const entries = Object.entries(value)
  if (/(?:^|\.)flags$/.test(path)) return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }
  if (/(?:^|\.)files$/.test(path)) return { type: 'object', additionalProperties: { type: 'string' } }
  if (entries.length === 0 || passedOn.has(path)) return { type: 'object' }
  const properties = entries.map(([name, one]) => [name, schemaOf(one, path === '' ? name : `${path}.${name}`, choices)])
  // Helm hands a map of its own to every chart, and the switch of a chart within another to that chart.
  const helms = path === '' || charts.has(path) ? { global: { type: 'object' }, enabled: { type: 'boolean' } } : {}
  return {
    type: 'object',
    additionalProperties: false,
    properties: { ...helms, ...Object.fromEntries(properties) },
    ...(probes.test(path)
      ? {}
      : { required: entries.map(([name]) => name).filter(name => name !== 'pullPolicy' || path === 'image') }),
  }
}
