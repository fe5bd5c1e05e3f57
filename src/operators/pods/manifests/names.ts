import type { ObjectMeta } from '#kube'
import type { ManifestOptions } from './options.ts'

export function labelsOf({ name, labels }: ManifestOptions): Readonly<Record<string, string>> {
  return { ...labels, 'app.kubernetes.io/name': name }
}

export function namespaced(options: ManifestOptions, name: string = options.name): ObjectMeta {
  return { name, namespace: options.namespace, labels: labelsOf(options) }
}

export function clusterWide(options: ManifestOptions, name: string = options.name): ObjectMeta {
  return { name, labels: labelsOf(options) }
}

/** The Secret that holds the pair. */
export function secretNameOf({ name, certificate }: ManifestOptions): string {
  if (certificate.kind === 'secret') return certificate.secretName
  return certificate.kind === 'own' ? `${name}-authority` : name
}

/** Whether somebody else puts the pair into files. */
export function isMounted({ certificate: { kind } }: ManifestOptions): boolean {
  return kind === 'secret' || kind === 'cert-manager'
}

/** The ConfigMap that holds the authority of callers. */
export function clientCaName({ name }: ManifestOptions): string {
  return `${name}-client-ca`
}

/** Where the container listens. Not below 1024: the process is nobody in particular. */
export const ports = { https: 8443, metrics: 9999, health: 8080 }
