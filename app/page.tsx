import { StartPage } from '@/components/workbench/start-page';

/** The only page. The query string says what it shows. */
export default function Page() {
  return <StartPage />;
}
