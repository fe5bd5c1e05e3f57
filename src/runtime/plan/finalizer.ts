import { keyOf } from '#kube'
import { compareAndPatch, type PatchOperation, test } from './compare-and-patch.ts'
import type { AddFinalizerAction, RemoveFinalizerAction } from './plan.ts'
import type { Target } from './target.ts'
import { Trouble } from './trouble.ts'
import type { Writer } from './writer.ts'

/** P2: durable before the first external effect. An object that is being deleted takes no finalizer, and says so. */
export async function addFinalizer(writer: Writer, target: Target, action: AddFinalizerAction): Promise<void> {
  const { type, object, finalizer } = action
  const held = await compareAndPatch(writer, {
    target,
    type,
    key: keyOf(object),
    seen: object,
    build: ({ metadata }): PatchOperation[] => {
      const { finalizers, resourceVersion } = metadata
      if (finalizers?.includes(finalizer)) return []
      // Absence cannot be tested for, so here, and only here, the version has to match.
      if (finalizers === undefined || finalizers.length === 0) {
        return [
          test('/metadata/resourceVersion', resourceVersion),
          { op: 'add', path: '/metadata/finalizers', value: [finalizer] },
        ]
      }
      return [test('/metadata/finalizers', finalizers), { op: 'add', path: '/metadata/finalizers/-', value: finalizer }]
    },
  })
  // What follows this action would be done for a claim that nobody can release any more (S3, S5).
  if (held === undefined) throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'the object is gone' })
}

export async function removeFinalizer(writer: Writer, target: Target, action: RemoveFinalizerAction): Promise<void> {
  const { type, object, finalizer } = action
  await compareAndPatch(writer, {
    target,
    type,
    key: keyOf(object),
    seen: object,
    build: ({ metadata }): PatchOperation[] => {
      const index = metadata.finalizers?.indexOf(finalizer) ?? -1
      const path = `/metadata/finalizers/${index}`
      return index < 0 ? [] : [test(path, finalizer), { op: 'remove', path }]
    },
  })
}
