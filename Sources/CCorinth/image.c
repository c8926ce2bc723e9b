// SPDX-License-Identifier: MIT
//
// Images: the program and its libraries. Every image statically linked with Corinth has a copy.
//
// A copy has an epoch, sections, locks and Swift types of its own. A user of another copy's
// container would read freed memory: the container's copy does not see the user's sections. So a
// copy has a number, which a registry gets from its root; all functions but hits compare the two.
//
// Records belong to one copy, so a hit of a thread without a record compares too. In a copy loaded
// beside another copy, no hit finds a record: every section is fenced, and compares (epoch.c).
//
// Invariants
//  1. A copy uses its own functions and variables only. Swift's are protected symbols for the
//     dynamic linker; a pragma in CCorinth.h protects the C symbols too.
//  2. A copy has a mark in its file that leads to the number: a note (ELF), a section (Mach-O). A
//     copy looks for marks in all images of the process, not for a symbol: programs export none.

#define _GNU_SOURCE

#include "corinth_internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__ELF__)
#include <link.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#endif

uint16_t corinth_image_number;

// The variable that an image's mark leads to. Copies of other versions read the variable.
typedef struct corinth_image {
  uint32_t is_numbered;
  uint32_t number;
} corinth_image;

#if defined(__APPLE__)
__attribute__((used, section("__DATA,__corinth"))) static corinth_image own;
#else
__attribute__((used, visibility("hidden"))) corinth_image corinth_image_own;
#define own corinth_image_own
#endif

// `path` is empty for the program itself.
typedef void (*image_visitor)(const corinth_image *image, const char *path, void *context);

// MARK: - Finding

typedef struct visit {
  image_visitor visitor;
  void *context;
} visit;

#if defined(__ELF__)
#define MARK_NAME "Corinth"
enum { MARK_TYPE = 1 };

// Three header words, the zero-terminated name, and a word: its distance to the image's variable.
__asm__(".pushsection .note.corinth, \"a\", %note\n"
        ".balign 4\n"
        ".long 8, 4, 1\n"
        ".asciz \"" MARK_NAME "\"\n"
        ".long corinth_image_own - .\n"
        ".popsection\n");

static void visit_notes(
    const char *note, size_t size, size_t alignment, const char *path, const visit *visit) {
  const char *end = note + size;
  while ((size_t)(end - note) >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)note;
    const char *name = note + sizeof *header;
    size_t to_description = (sizeof *header + header->n_namesz + alignment - 1) & -alignment;
    size_t to_next = (to_description + header->n_descsz + alignment - 1) & -alignment;
    if (header->n_type == MARK_TYPE && header->n_namesz == sizeof MARK_NAME
        && header->n_descsz == sizeof(int32_t) && memcmp(name, MARK_NAME, sizeof MARK_NAME) == 0) {
      const char *description = note + to_description;
      int32_t distance;
      memcpy(&distance, description, sizeof distance);
      visit->visitor((const corinth_image *)(description + distance), path, visit->context);
    }
    if (to_next > (size_t)(end - note)) return;
    note += to_next;
  }
}

// Notes may stand in the file only.
static bool is_loaded(const struct dl_phdr_info *object, const ElfW(Phdr) *notes) {
  for (size_t i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && notes->p_vaddr >= segment->p_vaddr
        && notes->p_vaddr + notes->p_memsz <= segment->p_vaddr + segment->p_memsz) {
      return true;
    }
  }
  return false;
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  for (size_t i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE || !is_loaded(object, segment)) continue;
    const char *notes = (const char *)(object->dlpi_addr + segment->p_vaddr);
    visit_notes(
        notes, segment->p_memsz, segment->p_align == 8 ? 8 : 4, object->dlpi_name, context);
  }
  return 0;
}

static void visit_images(visit visit) { dl_iterate_phdr(visit_object, &visit); }
#elif defined(__APPLE__)
static void visit_images(visit visit) {
  for (uint32_t i = 0; i < _dyld_image_count(); i++) {
    const void *header = _dyld_get_image_header(i);
    if (header == NULL) continue;
    unsigned long size = 0;
    const void *image = getsectiondata(header, "__DATA", "__corinth", &size);
    if (image == NULL || size < sizeof(corinth_image)) continue;
    visit.visitor(image, _dyld_get_image_name(i), visit.context);
  }
}
#else
static void visit_images(visit visit) { visit.visitor(&own, "", visit.context); }
#endif

const char *corinth_image_path(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

static const char *path_of(const corinth_image *image) {
  const char *path = image != NULL ? corinth_image_path(image) : NULL;
  return path != NULL ? path : "a library that is loaded no more";
}

// MARK: - Loading

// The numbered image that was loaded first, and the first free number.
typedef struct others {
  const corinth_image *first;
  uint32_t free_number;
  const char *own_path;
} others;

static void look_for_others(const corinth_image *image, const char *path, void *context) {
  others *others = context;
  if (image == &own) others->own_path = path;
  if (image == &own || !image->is_numbered) return;
  if (others->first == NULL || image->number < others->first->number) others->first = image;
  if (image->number >= others->free_number) others->free_number = image->number + 1;
}

// The loader runs the constructors image by image. number_image runs first in its image.
#if defined(__ELF__)
__attribute__((constructor(101)))
#else
__attribute__((constructor))
#endif
static void number_image(void) {
  others others = {0};
  visit_images((visit){look_for_others, &others});
  own.number = others.free_number;
  own.is_numbered = 1;
  corinth_image_number = (uint16_t)own.number;
#if defined(__ELF__)
  // A library that the program closes stays loaded: threads run functions of the copy as they exit,
  // and so does a fork. Other platforms unload no library with Swift code.
  if (others.own_path != NULL && others.own_path[0] != '\0') {
    dlopen(others.own_path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
#endif
  if (others.first == NULL) return;
  fprintf(stderr,
          "corinth: %s and %s each have a copy of Corinth, and a container that both use ends the program: have both depend "
          "on the product CorinthDynamic instead.\n",
          path_of(others.first), path_of(&own));
}

// MARK: - Refusing

typedef struct search {
  uint16_t number;
  const corinth_image *found;
} search;

static void look_for_number(const corinth_image *image, const char *path, void *context) {
  (void)path;
  search *search = context;
  if (image->is_numbered && (uint16_t)image->number == search->number) search->found = image;
}

_Noreturn void corinth_image_refuse(const corinth_registry *registry) {
  search search = {.number = registry->image};
  visit_images((visit){look_for_number, &search});
  fprintf(stderr,
          "corinth: a container made by the copy of Corinth in %s is used by the copy in %s: have both depend on the product "
          "CorinthDynamic, so that the process has one copy.\n",
          path_of(search.found), path_of(&own));
  abort();
}
