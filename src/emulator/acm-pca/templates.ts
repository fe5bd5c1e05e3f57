// The templates by which authorities sign, as far as they are served.
import type { CertificateRequest } from '#base'

export interface Template {
  readonly usage: CertificateRequest['usage']
  readonly isRoot: boolean
  readonly pathLength?: number
}

const templates: Readonly<Record<string, Template>> = {
  'EndEntityCertificate/V1': { usage: 'server-and-client', isRoot: false },
  'EndEntityServerAuthCertificate/V1': { usage: 'server', isRoot: false },
  'EndEntityClientAuthCertificate/V1': { usage: 'client', isRoot: false },
  'RootCACertificate/V1': { usage: 'ca', isRoot: true },
  'SubordinateCACertificate_PathLen0/V1': { usage: 'ca', isRoot: false, pathLength: 0 },
  'SubordinateCACertificate_PathLen1/V1': { usage: 'ca', isRoot: false, pathLength: 1 },
  'SubordinateCACertificate_PathLen2/V1': { usage: 'ca', isRoot: false, pathLength: 2 },
  'SubordinateCACertificate_PathLen3/V1': { usage: 'ca', isRoot: false, pathLength: 3 },
}

/** The template of this ARN; that of end entities where no ARN is given. */
export function templateOf(arn: string | undefined): Template | undefined {
  if (arn === undefined) return templates['EndEntityCertificate/V1']
  const name = /^arn:aws[a-z-]*:acm-pca:::template\/(.+)$/.exec(arn)?.[1] ?? ''
  return Object.hasOwn(templates, name) ? templates[name] : undefined
}
