// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import CSwiftRuntime

/// An accessor that was handed out and becomes the next one, if nobody has kept it. Whoever has this holds the object.
///
/// To hand it out again is one retain; an atomic one, as Swift makes it, was a quarter of the time of an iteration by
/// the profile. It need not be atomic: of an object that only its holder refers to, no other thread can count.
///
/// This holds no reference, which would count: a build that is not optimised copies what it looks at.
struct SpareObject {
    private let object: Unmanaged<ObjectBase>
    /// The object's word of counts when nobody but its holder referred to it in any way. A weak reference would show
    /// in it too: whoever is left with one must not see another object.
    private let soleCounts: UInt

    /// Takes the object that the caller has just made and holds; nil if others know it already, of whom its initialiser
    /// may have told.
    init?(_ object: inout ObjectBase) {
        guard isKnownUniquelyReferenced(&object), _getWeakRetainCount(object) == 1 else { return nil }
        self.object = Unmanaged.passUnretained(object)
        soleCounts = regnum_reference_counts(self.object.toOpaque())
    }

    /// The object, for which nobody else has any use now; nil if somebody may.
    var unused: Unmanaged<ObjectBase>? {
        regnum_reference_counts(object.toOpaque()) == soleCounts ? object : nil
    }

    /// Hands out the object that was `unused` just now, which therefore nobody else can retain meanwhile.
    static func handOut(_ object: Unmanaged<ObjectBase>) -> ObjectBase {
        Unmanaged.fromOpaque(regnum_retain_alone(object.toOpaque())).takeRetainedValue()
    }
}
