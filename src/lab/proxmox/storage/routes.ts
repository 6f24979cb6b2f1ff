import type { Routes } from '../call.ts';
import { storageConfigRoutes } from './config-routes.ts';
import { contentRoutes } from './content-routes.ts';
import { downloadUrl } from './download.ts';
import { storageStatusRoutes } from './status-routes.ts';
import { upload } from './upload.ts';
import { queryUrlMetadata } from './url-metadata.ts';

export const storageRoutes: Routes = {
  ...storageConfigRoutes,
  ...storageStatusRoutes,
  ...contentRoutes,
  'POST /nodes/{node}/storage/{storage}/download-url': downloadUrl,
  'POST /nodes/{node}/storage/{storage}/upload': upload,
  'GET /nodes/{node}/query-url-metadata': queryUrlMetadata,
};
