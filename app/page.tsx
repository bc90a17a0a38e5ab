import { StartPage } from '@/components/workbench/start-page';

/** The one page there is; what it shows is in the query string. */
export default function Page() {
  return <StartPage />;
}
