import type { KubeObject, ResourceType } from '#kube'

export const account = '111122223333'
export const region = 'eu-west-1'

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

/** A Role with a managed policy. */
export function roleManifest(type: ResourceType, name: string): KubeObject {
  const spec = { name, assumeRolePolicyDocument: trust, policies: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }
  const apiVersion = `${type.group}/${type.version}`
  return { apiVersion, kind: 'Role', metadata: { namespace: 'default', name }, spec } as KubeObject
}
