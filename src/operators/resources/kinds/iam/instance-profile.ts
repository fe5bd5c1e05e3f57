// IAM instance profiles hold one role, which is put in and taken out by operations of its own.
import { structuresOf, update } from '../calls.ts'
import type { Deviation } from '../deviation.ts'

export const iamInstanceProfile: Deviation = {
  readMore: async ({ caller, wanted }, found) => {
    const { InstanceProfile } = await caller.call('GetInstanceProfile', { InstanceProfileName: wanted.spec['name'] })
    const [role] = structuresOf((InstanceProfile as { readonly Roles?: unknown } | undefined)?.Roles)
    const { role: _held, ...spec } = found.spec
    return { ...found, spec: { ...spec, ...(role === undefined ? {} : { role: role['RoleName'] }) } }
  },
  unchangeable: ['Name', 'Path'],
  own: ['Role'],
  sync: ({ wanted, latest }) => {
    const InstanceProfileName = wanted.spec['name']
    const [want, have] = [wanted.spec['role'], latest.spec['role']]
    if (want === have) return []
    return [
      ...(have === undefined
        ? []
        : [update('RemoveRoleFromInstanceProfile', { InstanceProfileName, RoleName: have }, ['NoSuchEntity'])]),
      ...(want === undefined ? [] : [update('AddRoleToInstanceProfile', { InstanceProfileName, RoleName: want })]),
    ]
  },
  beforeDelete: ({ latest }) =>
    latest.spec['role'] === undefined
      ? []
      : [
          update('RemoveRoleFromInstanceProfile', { InstanceProfileName: latest.spec['name'], RoleName: latest.spec['role'] }, [
            'NoSuchEntity',
          ]),
        ],
}
