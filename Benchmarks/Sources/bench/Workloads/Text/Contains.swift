// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension TextWorkloads {
    static let contains = people("contains", { $0.name.contains("777") }, "instr(name, '777') > 0")
}
