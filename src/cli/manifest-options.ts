// What commands that print manifests take alike: names that others will have to accept, and how many pods.
import { InvalidArgumentError } from 'commander'
import { dns1035LabelErrors, dnsLabelErrors } from '#kube'

/** The longest suffix that other objects put behind the name; the name of a Service has the strictest rules of them. */
const suffixLongest = '-webhook'

export function readName(text: string): string {
  const [wrong] = dns1035LabelErrors(`${text}${suffixLongest}`)
  if (wrong === undefined && text !== '') return text
  throw new InvalidArgumentError(`it names Services such as ${text}${suffixLongest}: ${wrong ?? 'it is empty'}`)
}

export function readNamespace(text: string): string {
  const [wrong] = dnsLabelErrors(text)
  if (wrong === undefined) return text
  throw new InvalidArgumentError(wrong)
}

export function readReplicas(text: string): number {
  const replicas = Number(text)
  if (Number.isInteger(replicas) && replicas >= 1 && replicas <= 100) return replicas
  throw new InvalidArgumentError('a whole number from 1 to 100')
}
