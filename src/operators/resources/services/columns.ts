// The columns that kubectl shows of a kind of AWS: those that its config asks for, and what everybody wants to know of each resource.
import type { CustomResourceDefinition, PrinterColumn } from '#kube'

const ready: PrinterColumn = { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
const arn: PrinterColumn = { name: 'ARN', type: 'string', jsonPath: '.status.ackResourceMetadata.arn' }
const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

/** An ARN is the widest of all columns: beside so many others of the kind it is shown with `-o wide`. */
const othersMax = 3

type Version = CustomResourceDefinition['spec']['versions'][number]

/** The CRD as it is installed. What inference renders stays as AWS Controllers for Kubernetes have it, to be held against theirs. */
export function withColumns(crd: CustomResourceDefinition): CustomResourceDefinition {
  const versions = crd.spec.versions.map(version => ({ ...version, additionalPrinterColumns: columnsOf(version) }))
  return { ...crd, spec: { ...crd.spec, versions } }
}

function columnsOf(version: Version): readonly PrinterColumn[] {
  const given = (version['additionalPrinterColumns'] ?? []) as readonly PrinterColumn[]
  const others = given.filter(({ jsonPath }) => jsonPath !== age.jsonPath)
  const isWide = others.filter(({ priority = 0 }) => priority === 0).length > othersMax
  const common = [ready, isWide ? { ...arn, priority: 1 } : arn]
  const added = common.filter(({ jsonPath }) => !others.some(column => column.jsonPath === jsonPath))
  return [...others, ...added, age]
}
