// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    // Editing sets the text and the search together, so that one evaluation handles both. A text that the app sets is
    // applied after the evaluation that shows it.

    extension View {
        /// Adds a search field to the page's bar, and restricts the results to objects whose property contains the
        /// entered text, case-sensitively.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts the results to objects whose property contains the
        /// entered text, case-sensitively.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts the results to objects whose property contains the
        /// entered text, case-sensitively.
        @_disfavoredOverload public func searchable<T: ObjectBase, S>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S
        ) -> some View where S: StringProtocol {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field with suggestions to the page's bar, and restricts the results to objects whose property
        /// contains the entered text, case-sensitively.
        public func searchable<T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Adds a search field with suggestions to the page's bar, and restricts the results to objects whose property
        /// contains the entered text, case-sensitively.
        public func searchable<T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Adds a search field with suggestions to the page's bar, and restricts the results to objects whose property
        /// contains the entered text, case-sensitively.
        @_disfavoredOverload public func searchable<T: ObjectBase, S, V>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S,
            @ViewBuilder suggestions: () -> V
        ) -> some View where S: StringProtocol, V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Adds a search field to the page's bar, and restricts the results to objects whose property contains the
        /// entered text, compared with the given options. An addition to Realm's API.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>, options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts the results to objects whose optional property contains
        /// the entered text, compared with the given options. An addition to Realm's API.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String?>, options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts the results to objects whose optional property contains
        /// the entered text, case-sensitively. An addition to Realm's API.
        public func searchable<T: ObjectBase>(
            text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String?>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            searchable(
                text: text, collection: collection, keyPath: keyPath, options: [], placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts sections to objects whose property contains the text,
        /// case-sensitively.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts sections to objects whose property contains the text,
        /// case-sensitively.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts sections to objects whose property contains the text,
        /// case-sensitively.
        @_disfavoredOverload public func searchable<Key, T: ObjectBase, S>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S
        ) -> some View where S: StringProtocol {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field with suggestions to the page's bar, and restricts sections to objects whose property
        /// contains the text, case-sensitively.
        public func searchable<Key, T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Adds a search field with suggestions to the page's bar, and restricts sections to objects whose property
        /// contains the text, case-sensitively.
        public func searchable<Key, T: ObjectBase, V>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
            @ViewBuilder suggestions: () -> V
        ) -> some View where V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Adds a search field with suggestions to the page's bar, and restricts sections to objects whose property
        /// contains the text, case-sensitively.
        @_disfavoredOverload public func searchable<Key, T: ObjectBase, S, V>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            placement: SearchFieldPlacement = .automatic, prompt: S,
            @ViewBuilder suggestions: () -> V
        ) -> some View where S: StringProtocol, V: View {
            let search = Search(text, collection, _name(for: keyPath), [])
            return search.follow(self).searchable(
                text: search.text, placement: placement, prompt: prompt, suggestions: suggestions)
        }

        /// Adds a search field to the page's bar, and restricts sections to objects whose property contains the text,
        /// compared with the given options. An addition to Realm's API.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
            options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts sections to objects whose optional property contains
        /// the text, compared with the given options. An addition to Realm's API.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String?>,
            options: StringOptions,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            let search = Search(text, collection, _name(for: keyPath), options)
            return search.follow(self).searchable(text: search.text, placement: placement, prompt: prompt)
        }

        /// Adds a search field to the page's bar, and restricts sections to objects whose optional property contains
        /// the text, case-sensitively. An addition to Realm's API.
        public func searchable<Key, T: ObjectBase>(
            text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String?>,
            placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
        ) -> some View {
            searchable(
                text: text, collection: collection, keyPath: keyPath, options: [], placement: placement, prompt: prompt)
        }
    }

    @MainActor private protocol SearchableResults {
        func search(_ text: String, in property: String, _ options: StringOptions)
    }

    extension ObservedResults: SearchableResults {}
    extension ObservedSectionedResults: SearchableResults {}

    @MainActor private struct Search {
        private let original: Binding<String>
        private let apply: @MainActor @Sendable (String) -> Void

        init(
            _ text: Binding<String>, _ results: some SearchableResults, _ property: String, _ options: StringOptions
        ) {
            original = text
            apply = { results.search($0, in: property, options) }
        }

        var text: Binding<String> {
            let (original, apply) = (original, apply)
            return Binding(
                get: { @MainActor in original.wrappedValue },
                set: { @MainActor in
                    original.wrappedValue = $0
                    apply($0)
                })
        }

        /// Returns a view that also applies texts that the app sets.
        func follow<V: View>(_ view: V) -> some View {
            let (original, apply) = (original, apply)
            return view.onAppear { MainActor.assumeIsolated { apply(original.wrappedValue) } }
                .onChange(of: original.wrappedValue) { text in MainActor.assumeIsolated { apply(text) } }
        }
    }
#endif
