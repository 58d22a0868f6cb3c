/*
 * The icons of pages and scripts: elements for an SVG of 24 by 24 units that are drawn with strokes.
 * `npm run icons -- NAME…` writes this file from lucide-static: see https://lucide.dev/license. ISC licence,
 * copyright (c) Lucide Icons and Contributors; some icons are from Feather: MIT licence, copyright (c) 2013-2023
 * Cole Bemis.
 */

export const bellIcon =
  "<path d='M10.268 21a2 2 0 0 0 3.464 0'/><path d='M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0" +
  " .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326'/>";

export const chevronLeftIcon = "<path d='m15 18-6-6 6-6'/>";

export const chevronRightIcon = "<path d='m9 18 6-6-6-6'/>";

export const ellipsisIcon =
  "<circle cx='12' cy='12' r='1'/><circle cx='19' cy='12' r='1'/><circle cx='5' cy='12' r='1'/>";

export const eyeIcon =
  "<path d='M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0" +
  " 1-19.876 0'/><circle cx='12' cy='12' r='3'/>";

export const filesIcon =
  "<path d='M15 2h-4a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V8'/><path d='M16.706 2.706A2.4 2.4" +
  " 0 0 0 15 2v5a1 1 0 0 0 1 1h5a2.4 2.4 0 0 0-.706-1.706z'/><path d='M5 7a2 2 0 0 0-2 2v11a2 2 0 0 0 2" +
  " 2h8a2 2 0 0 0 1.732-1'/>";

export const globeIcon =
  "<circle cx='12' cy='12' r='10'/><path d='M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20'/><path" +
  " d='M2 12h20'/>";

export const linkIcon =
  "<path d='M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71'/><path d='M14 11a5 5 0 0" +
  " 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71'/>";

export const lockIcon =
  "<rect width='18' height='11' x='3' y='11' rx='2' ry='2'/><path d='M7 11V7a5 5 0 0 1 10 0v4'/>";

export const logOutIcon =
  "<path d='m16 17 5-5-5-5'/><path d='M21 12H9'/><path d='M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4'/>";

export const menuIcon = "<path d='M4 5h16'/><path d='M4 12h16'/><path d='M4 19h16'/>";

export const minusIcon = "<path d='M5 12h14'/>";

export const pencilIcon =
  "<path d='M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0" +
  " .623.622l4.353-1.32a2 2 0 0 0 .83-.497z'/><path d='m15 5 4 4'/>";

export const plusIcon = "<path d='M5 12h14'/><path d='M12 5v14'/>";

export const quoteIcon =
  "<path d='M16 3a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2 1 1 0 0 1 1 1v1a2 2 0 0 1-2 2 1 1 0 0 0-1 1v2a1 1 0 0 0" +
  " 1 1 6 6 0 0 0 6-6V5a2 2 0 0 0-2-2z'/><path d='M5 3a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2 1 1 0 0 1 1 1v1a2" +
  " 2 0 0 1-2 2 1 1 0 0 0-1 1v2a1 1 0 0 0 1 1 6 6 0 0 0 6-6V5a2 2 0 0 0-2-2z'/>";

export const share2Icon =
  "<circle cx='18' cy='5' r='3'/><circle cx='6' cy='12' r='3'/><circle cx='18' cy='19' r='3'/><line" +
  " x1='8.59' x2='15.42' y1='13.51' y2='17.49'/><line x1='15.41' x2='8.59' y1='6.51' y2='10.49'/>";

export const squareDashedIcon =
  "<path d='M5 3a2 2 0 0 0-2 2'/><path d='M19 3a2 2 0 0 1 2 2'/><path d='M21 19a2 2 0 0 1-2 2'/><path" +
  " d='M5 21a2 2 0 0 1-2-2'/><path d='M9 3h1'/><path d='M9 21h1'/><path d='M14 3h1'/><path d='M14" +
  " 21h1'/><path d='M3 9v1'/><path d='M21 9v1'/><path d='M3 14v1'/><path d='M21 14v1'/>";

export const stickyNoteIcon =
  "<path d='M21 9a2.4 2.4 0 0 0-.706-1.706l-3.588-3.588A2.4 2.4 0 0 0 15 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0" +
  " 2 2h14a2 2 0 0 0 2-2z'/><path d='M15 3v5a1 1 0 0 0 1 1h5'/>";

export const tableIcon =
  "<path d='M12 3v18'/><rect width='18' height='18' x='3' y='3' rx='2'/><path d='M3 9h18'/><path d='M3" +
  " 15h18'/>";

export const trash2Icon =
  "<path d='M10 11v6'/><path d='M14 11v6'/><path d='M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6'/><path" +
  " d='M3 6h18'/><path d='M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2'/>";

export const uploadIcon =
  "<path d='M12 3v12'/><path d='m17 8-5-5-5 5'/><path d='M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4'/>";

export const userIcon = "<path d='M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2'/><circle cx='12' cy='7' r='4'/>";

export const usersIcon =
  "<path d='M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2'/><path d='M16 3.128a4 4 0 0 1 0 7.744'/><path" +
  " d='M22 21v-2a4 4 0 0 0-3-3.87'/><circle cx='9' cy='7' r='4'/>";

export const xIcon = "<path d='M18 6 6 18'/><path d='m6 6 12 12'/>";
