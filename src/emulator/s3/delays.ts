// How late what S3 wrote is seen.
import { type Delay, seconds } from '../delays.ts'

export const s3Delays: Readonly<Record<'bucketAccess', Delay>> = {
  /** Bucket policy and public access block as anonymous and cross-account readers see them. */
  bucketAccess: { name: 'bucketAccess', demo: seconds(0.5), async: seconds(2, 10) },
}
