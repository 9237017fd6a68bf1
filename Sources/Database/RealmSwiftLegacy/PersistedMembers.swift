// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PersistedMembers
    @_exported import RealmSwift

    /// Stores the properties of a class of the style before 10.10: those that are declared `dynamic var`.
    ///
    /// ```swift
    /// @PersistedMembers
    /// class Dog: Object {
    ///     dynamic var id = ""
    ///     dynamic var age = 1
    ///     dynamic var toy: Toy?
    ///     let litter = List<Dog>()
    ///     let weight = RealmProperty<Double?>()
    ///     let owners = LinkingObjects(fromType: Person.self, property: "dogs")
    ///
    ///     override static func primaryKey() -> String? { "id" }
    /// }
    /// ```
    ///
    /// A class written for Apple platforms becomes one for every platform by putting this in place of `@objcMembers`,
    /// or in front of the class, and deleting each `@objc`. Properties may be of `NSDate`, `NSString` and `NSData`,
    /// and of enums that conform to `RealmEnum`. The file is the same as before, and as with `@Persisted`.
    ///
    /// `primaryKey()`, `indexedProperties()` and `ignoredProperties()` mean what they always did. A property of a type
    /// that cannot be stored must be named in `ignoredProperties()` as text within an array, or not be `dynamic`.
    /// Computed and `lazy` properties and those that are not `dynamic` are left alone, and so are all of a class that
    /// declares one `@Persisted`. A subclass needs the macro for its own properties.
    @attached(memberAttribute)
    public macro PersistedMembers() =
        #externalMacro(module: "RegnumMacros", type: "PersistedMembersMacro")
#endif
