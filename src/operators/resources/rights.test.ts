// What the operator takes for what is off by default.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definitionsOf, type RightsOptions, resourceRights } from './rights.ts'

const options: RightsOptions = { services: ['iam'], kinds: ['Role'], fieldExport: false, adoptedResources: true }

test('rights on definitions, and on objects of all namespaces, are taken only where objects are moved to another stored version [9.32]', () => {
  const of = (more: Partial<RightsOptions>): readonly string[] =>
    resourceRights({ ...options, watchNamespaces: ['a'], ...more }).flatMap(({ resource, verbs, names = [], within = [] }) =>
      verbs.map(verb => `${verb} ${resource} ${names.join()}@${within.join()}`),
    )
  const [without, moving] = [of({}), of({ migrates: true })]
  const names = ['roles.iam.services.k8s.aws', 'adoptedresources.services.k8s.aws', 'iamroleselectors.services.k8s.aws']
  assert.deepEqual(definitionsOf(options), names)
  assert.deepEqual(
    moving.filter(right => !without.includes(right)),
    [
      ...names.flatMap(name => [`get customresourcedefinitions ${name}@`, `patch customresourcedefinitions/status ${name}@`]),
      'list roles @',
      'patch roles/status @',
      'list adoptedresources @',
      'patch adoptedresources/status @',
      'patch iamroleselectors/status @',
    ],
  )
})
