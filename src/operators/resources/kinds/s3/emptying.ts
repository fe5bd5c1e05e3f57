// `s3.services.k8s.aws/force-delete: "true"`: a bucket that goes takes everything in it with it. A page of versions, delete markers and uploads is
// found in one pass and taken out in it; the bucket goes in the pass that finds nothing.
import { batchesOf } from '#base'
import { isAnnotatedTrue, type Resource } from '../../api.ts'
import type { Values } from '../../model/request.ts'
import { structuresOf } from '../calls.ts'
import type { Caller, PlannedCall, SyncContext } from '../deviation.ts'

export const forceDelete = 's3.services.k8s.aws/force-delete'

/** The API's own limit for one call that deletes. */
const pageMax = 1_000

interface Content {
  readonly objects: readonly Values[]
  readonly uploads: readonly Values[]
}

export async function readContent(claim: Resource, caller: Caller, bucket: unknown): Promise<Content | undefined> {
  if (claim.metadata.deletionTimestamp === undefined || !isAnnotatedTrue(claim, forceDelete)) return undefined
  const versions = await caller.call('ListObjectVersions', { Bucket: bucket, MaxKeys: pageMax })
  const uploads = await caller.call('ListMultipartUploads', { Bucket: bucket, MaxUploads: pageMax })
  return {
    // The version `null` has to be named, too: without it a delete marker is put on top of what stays.
    objects: [...structuresOf(versions['Versions']), ...structuresOf(versions['DeleteMarkers'])].map(({ Key, VersionId }) => ({
      Key,
      VersionId,
    })),
    uploads: structuresOf(uploads['Uploads']).map(({ Key, UploadId }) => ({ Key, UploadId })),
  }
}

export function emptyingCalls({ latest }: SyncContext): readonly PlannedCall[] {
  const { objects, uploads } = (latest.extra?.['content'] ?? { objects: [], uploads: [] }) as Content
  const Bucket = latest.spec['name']
  return [
    ...batchesOf(objects, pageMax).map(
      (Objects): PlannedCall => ({
        operation: 'DeleteObjects',
        input: { Bucket, Delete: { Objects, Quiet: true } },
        verb: 'DELETE',
      }),
    ),
    ...uploads.map(
      (upload): PlannedCall => ({
        operation: 'AbortMultipartUpload',
        input: { Bucket, ...upload },
        verb: 'DELETE',
        tolerates: ['NoSuchUpload'],
      }),
    ),
  ]
}
