// What is installed, where and as what: the one input from which every object of a process is rendered.
import { given } from '#base'
import type { OperatorNeeds } from '#runtime'
import type { Labels, Passed, ProcessValues } from './values.ts'

export interface Install {
  readonly chart: ChartName
  readonly release: Release
  readonly values: ProcessValues
  readonly operators: readonly InstalledOperator[]
  /** Flags of the operators, after those of the process. */
  readonly args: readonly string[]
  readonly env: readonly Passed[]
  /** Files in the container beside those that the operators need. */
  readonly volumes: readonly Volume[]
  readonly podAnnotations: Labels
}

export interface ChartName {
  readonly name: string
  readonly version: string
  readonly appVersion: string
}

export interface Release {
  readonly name: string
  readonly namespace: string
  /** Who applies: `Helm`, or what prints the manifests. */
  readonly service: string
}

export interface InstalledOperator {
  readonly name: string
  readonly lease: string
  readonly needs: OperatorNeeds
}

/** A volume of the pod, and where the container has it. */
export interface Volume {
  readonly volume: Passed & { readonly name: string }
  readonly mountPath: string
}

/** As Helm's charts do it by custom: the release says the name of the chart already, or carries it behind its own. */
export function fullnameOf({ chart, release, values }: Pick<Install, 'chart' | 'release' | 'values'>): string {
  const { fullnameOverride, nameOverride } = values
  if (fullnameOverride !== '') return cut(fullnameOverride)
  const name = nameOverride || chart.name
  return cut(release.name.includes(name) ? release.name : `${release.name}-${name}`)
}

export function namespaceOf({ release, values }: Pick<Install, 'release' | 'values'>): string {
  return values.namespaceOverride || release.namespace
}

export function labelsOf(install: Install): Labels {
  const { chart, release, values } = install
  return {
    'helm.sh/chart': cut(`${chart.name}-${chart.version}`.replaceAll('+', '_')),
    ...selectorOf(install),
    ...(chart.appVersion === '' ? {} : { 'app.kubernetes.io/version': chart.appVersion }),
    'app.kubernetes.io/managed-by': release.service,
    ...values.commonLabels,
  }
}

/** The labels by which the Deployment finds its Pods. They never change: Kubernetes refuses another selector. */
export function selectorOf({ chart, release, values }: Pick<Install, 'chart' | 'release' | 'values'>): Labels {
  return {
    'app.kubernetes.io/name': cut(values.nameOverride || chart.name),
    'app.kubernetes.io/instance': release.name,
  }
}

/** The ServiceAccount of the process. */
export function accountOf(install: Install): string {
  const { create, name } = install.values.serviceAccount
  return name || (create ? fullnameOf(install) : 'default')
}

/** The ServiceAccount as which an operator works: the process's own where it is the only one. */
export function accountOfOperator(install: Install, operator: string): string {
  return install.operators.length === 1 ? accountOf(install) : cut(`${fullnameOf(install)}-${operator}`)
}

export interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly labels: Labels
  readonly annotations?: Labels
}

export interface ObjectMetaOptions {
  /** Absent for an object of the whole cluster. */
  readonly namespace?: string
  readonly labels?: Labels
  readonly annotations?: Labels
}

/** Names, labels and annotations as every object of an installation has them; its own win. */
export function metadataOf(install: Install, name: string, own: ObjectMetaOptions = {}): Metadata {
  const annotations = { ...install.values.commonAnnotations, ...own.annotations }
  return {
    name,
    ...given({ namespace: own.namespace }),
    labels: { ...labelsOf(install), ...own.labels },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  }
}

/** The longest that a label takes. */
const lengthMax = 63

function cut(text: string): string {
  return text.slice(0, lengthMax).replace(/-+$/, '')
}
