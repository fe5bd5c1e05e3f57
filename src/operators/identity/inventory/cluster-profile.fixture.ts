// What an inventory says of a cluster that answers.

export interface AccessOffer {
  readonly name: string
  readonly cluster: Readonly<Record<string, string>>
}

export function healthyStatus(
  nowMs: number,
  access: AccessOffer,
  properties: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const lastTransitionTime = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Healthy', message: '', lastTransitionTime }],
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
    accessProviders: [access],
  }
}
