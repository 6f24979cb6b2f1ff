import * as z from 'zod';
import { foreignName, free, label, oneOf, path, secret, url } from './values.ts';

const ageRecipient = z
  .string()
  .max(128)
  .regex(/^age1[02-9ac-hj-np-z]{58}$/)
  .meta({ examples: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'] });

const s3 = z
  .strictObject({
    bucket: foreignName('platform-state').describe('Name of the bucket.'),
    prefix: z
      .string()
      .max(512)
      .meta({ examples: ['prod/'] })
      .default('')
      .describe('Put before every object name.'),
    region: foreignName('eu-north-1').default('us-east-1').describe('Region that requests are signed for.'),
    endpoint: url(['https', 'http'], 'https://s3.example.org')
      .describe('Address of the object store, when it is not AWS.')
      .optional(),
    accessKey: secret().describe('Access key; absent: the usual AWS environment variables.').optional(),
    secretKey: secret().describe('Secret key; absent: the usual AWS environment variables.').optional(),
  })
  .describe('State as objects in S3 or a compatible store, locked by conditional writes.');

const kubernetes = z
  .strictObject({
    namespace: label('ichor-system').default('ichor-system').describe('Namespace of the Secrets that hold the state.'),
    context: free('management').describe('Context of the kubeconfig; absent: the current one.').optional(),
  })
  .describe('State as Secrets of a management cluster, locked by a Lease.');

const file = z
  .strictObject({ path: path('./.ichor').default('./.ichor').describe('Folder of the state, with mode 0700.') })
  .describe('State in a folder of this machine.');

/** Layer 0: what survives every destroy. */
export const identity = z
  .strictObject({
    secrets: z
      .strictObject({
        age: z
          .array(ageRecipient)
          .min(1)
          .max(32)
          .describe('Recipients that secrets are encrypted to when they rest.')
          .optional(),
      })
      .prefault({})
      .describe('How secrets rest: encrypted to age recipients, or as files with mode 0600.'),
    sealedSecrets: z
      .strictObject({
        keypair: z
          .enum(['persistent', 'fresh'])
          .default('persistent')
          .describe(
            'persistent: the same sealing key for every rebuild, so that sealed secrets in Git stay readable; fresh: a new one each time.',
          ),
      })
      .describe('The key pair of the Sealed Secrets controller.')
      .optional(),
    state: oneOf({ file: file.optional(), s3: s3.optional(), kubernetes: kubernetes.optional() }, [
      'file',
      's3',
      'kubernetes',
    ])
      .prefault({ file: {} })
      .describe('Where ichor keeps what the world cannot tell: secrets, the lock, the journal of a run.'),
  })
  .prefault({})
  .describe('Layer 0: what survives every destroy.');
