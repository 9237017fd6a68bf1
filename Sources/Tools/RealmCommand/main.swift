// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTools

#if Browser
    import RealmStudio

    RealmTool.main(studio: Studio.run)
#else
    RealmTool.main()
#endif
