import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMaps, type StoredObject } from '#kube'
import type { OwnAction, Plan } from './plan.ts'
import { printPlan } from './print.ts'

const stored: StoredObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'a', name: 'x', uid: 'u', resourceVersion: '1' },
}

test('a plan is printed whole, in order, and the same every time', () => {
  const call: OwnAction & { readonly role: string } = {
    kind: 'act:create-role',
    summary: 'create role r in account 1',
    role: 'r',
  }
  const plan: Plan<OwnAction> = {
    actions: [
      { kind: 'add-finalizer', type: configMaps, object: stored, finalizer: 'f' },
      call,
      {
        kind: 'together',
        branches: [
          [{ kind: 'delete', type: configMaps, object: stored, cluster: 'east' }],
          [
            {
              kind: 'patch',
              type: configMaps,
              key: { namespace: 'a', name: 'y' },
              patch: 'merge',
              body: { data: null },
              uid: 'u',
            },
          ],
        ],
      },
    ],
    conditions: [{ type: 'Ready', status: 'True', reason: 'Done', message: 'all is well' }],
    status: { copies: 2 },
    next: { kind: 'look-again', afterMs: 5_000, why: 'quota is polled' },
  }
  assert.equal(
    printPlan(plan),
    `add finalizer f to configmaps a/x
create role r in account 1
  {
    "role": "r"
  }
together
-
  delete configmaps a/x in east
-
  patch configmaps a/y
    {
      "data": null
    }
say Ready=True (Done) all is well
status {"copies":2}
then look again after 5000 ms: quota is polled
`,
  )
})
